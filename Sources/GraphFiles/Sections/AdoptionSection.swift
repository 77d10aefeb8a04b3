// SPDX-License-Identifier: MIT

/// The keys of one entry of `adopt`.
enum AdoptionKey: String, SectionKey {
  static let section = "adoption"
  case client, session, routes, gain, channels, leave
}

extension GraphFile.Adoption {
  init(_ field: Field) {
    self.init(client: .name(""))
    guard let section: Section<AdoptionKey> = field.section() else { return }
    client = section.required(.client, example: "mpv")?.clientSelector() ?? client
    if let keys: Section<AppSessionKey> = section[.session]?.section() {
      session = GraphFile.AppSession(keys)
    }
    for entry in section[.routes]?.list(allowed: "a list of output routes") ?? [] {
      routes.append(entry.graphName() ?? "")
    }
    gainDB = section[.gain]?.decibels() ?? gainDB
    channels = section[.channels]?.integer(in: 1...64) ?? channels
    let isLeft = section[.leave]?.flag() ?? false
    if isLeft {
      for key in [AdoptionKey.session, .routes, .gain, .channels] {
        section[key]?.error("a client that is left alone has none; remove it or 'leave'")
      }
    } else if section[.session] == nil {
      section.log.error(
        at: section.position,
        "adoption: it has no 'session'; write 'session: {preset: player}', or 'leave: true'",
      )
    }
  }
}

extension Field {
  /// A client's name, or a pattern between slashes.
  fileprivate func clientSelector() -> GraphFile.ClientSelector? {
    guard let text = text(allowed: "a JACK client's name or a pattern between slashes") else {
      return nil
    }
    guard text.count > 1, text.hasPrefix("/"), text.hasSuffix("/") else { return .name(text) }
    do {
      return .pattern(try PortPattern(String(text.dropFirst().dropLast())))
    } catch {
      self.error("the pattern \(MessageText.quoted(text)) cannot be used: \(error.description)")
      return nil
    }
  }
}
