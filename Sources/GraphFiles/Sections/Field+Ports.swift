// SPDX-License-Identifier: MIT

extension Field {
  /// A list of JACK ports, one entry per channel.
  ///
  /// A faulty entry stays in as a name that no port has, so that channels keep their numbers.
  func portSelectors() -> [PortSelector] {
    let allowed = "a list of ports, for example [system:playback_1, /Mixxx:out_[01]/],"
    guard let entries = list(allowed: allowed, limit: GraphFile.portLimit) else { return [] }
    if entries.isEmpty { error("the list is empty; name one port or pattern per channel") }
    return entries.map { $0.portSelector() ?? .name("") }
  }

  private func portSelector() -> PortSelector? {
    guard let text = text(allowed: "a port 'client:port' or a pattern between slashes") else {
      return nil
    }
    if text.utf8.first == UInt8(ascii: "/") {
      return pattern(text)
    }
    // JACK's own limit for full names is 320 bytes with the ending zero.
    guard text.utf8.count < 320 else {
      error("a port name longer than 319 bytes")
      return nil
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
      error(
        "\(MessageText.quoted(text)) is not a port; write 'client:port', or a pattern between "
          + "slashes such as /\(text)/"
      )
      return nil
    }
    return .name(text)
  }

  private func pattern(_ text: String) -> PortSelector? {
    guard text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") else {
      error("the pattern \(MessageText.quoted(text)) has no closing slash")
      return nil
    }
    do {
      return .pattern(try PortPattern(String(text.dropFirst().dropLast())))
    } catch {
      self.error("the pattern \(MessageText.quoted(text)) cannot be used: \(error.description)")
      return nil
    }
  }
}
