// SPDX-License-Identifier: MIT

/// The keys of one entry of `adopt`.
enum AdoptionKey: String, SectionKey {
  static let section = "adoption"
  case client, executable, session, routes, gain, channels, pause, leave
}

extension GraphFile.Adoption {
  init(_ field: Field) {
    self.init()
    guard let section: Section<AdoptionKey> = field.section() else { return }
    client = section[.client]?.nameSelector(of: "a JACK client's name")
    executable = section[.executable]?.nameSelector(of: "the name or path of a program")
    if let keys: Section<AppSessionKey> = section[.session]?.section() {
      session = GraphFile.AppSession(keys)
    }
    for entry in section[.routes]?.list(allowed: "a list of output routes") ?? [] {
      routes.append(entry.graphName() ?? "")
    }
    gainDB = section[.gain]?.decibels() ?? gainDB
    channels = section[.channels]?.integer(in: 1...64)
    pause = section[.pause]?.choice() ?? pause
    let isLeft = section[.leave]?.flag() ?? false
    if isLeft {
      for key in [AdoptionKey.session, .routes, .gain, .channels, .pause] {
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
  /// A name, or a pattern between slashes; a path has no slash at its end.
  ///
  /// A faulty one matches nothing, so that its rule is not taken for one that matches everything.
  fileprivate func nameSelector(of what: String) -> GraphFile.NameSelector {
    guard let text = text(allowed: "\(what) or a pattern between slashes") else { return .name("") }
    guard text.count > 1, text.hasPrefix("/"), text.hasSuffix("/") else { return .name(text) }
    do {
      return .pattern(try PortPattern(String(text.dropFirst().dropLast())))
    } catch {
      self.error("the pattern \(MessageText.quoted(text)) cannot be used: \(error.description)")
      return .name("")
    }
  }
}
