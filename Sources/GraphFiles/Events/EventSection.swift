// SPDX-License-Identifier: MIT

internal import Sessions
internal import YAML

/// The keys of an event file.
enum EventFileKey: String, SectionKey {
  static let section = "event file"
  case multiroute, events
}

/// The keys of one event.
enum EventKey: String, SectionKey {
  static let section = "event"
  case at, client, executable, open, preset, category, mode, options, `class`, music, play, stop,
    activate, deactivate, notifyOthers, close, background, foreground, requestPermission,
    interruption, shouldResume, call, silentSwitch, lock, microphoneMute, plug, unplug, press, app,
    permission, server
}

extension EventKey {
  /// The keys that say what happens, of which an event has one, each with the keys that it takes beside `at`.
  static let verbs: [(key: EventKey, details: [EventKey])] = [
    (.client, [.executable]), (.open, sessionKeys), (.play, []), (.stop, []), (.activate, []),
    (.deactivate, [.notifyOthers]), (.close, []), (.background, []), (.foreground, []),
    (.requestPermission, []), (.interruption, [.class, .shouldResume]), (.call, [.shouldResume]),
    (.silentSwitch, []), (.lock, []), (.microphoneMute, []), (.plug, []), (.unplug, []),
    (.press, [.app]), (.permission, [.app]), (.server, []),
  ]

  static let sessionKeys: [EventKey] = [.preset, .category, .mode, .options, .class, .music]
}

extension EventScript {
  /// Reads the document; what is faulty is left out.
  mutating func read(_ root: YAMLNode, log: DiagnosticLog) {
    guard let section = Section<EventFileKey>(root, log: log) else { return }
    _ = section.required(.multiroute, example: "\(GraphFile.formatVersion)")?.formatVersion()
    let example = "[{at: 0 s, client: mpv}]"
    let list = section.required(.events, example: example)?
      .list(allowed: "a list of events, such as \(example)", limit: Self.limit)
    var stage = EventStage()
    for entry in list ?? [] {
      guard let keys: Section<EventKey> = entry.section(),
        let event = stage.event(keys, node: entry.node)
      else { continue }
      events.append(event)
    }
  }
}

/// The clients and sessions that are there while a script is read.
///
/// Used by one reader at a time: [any-thread].
struct EventStage {
  private var names: Set<String> = []
  private var timeNanoseconds: UInt64 = 0

  /// Reads an event; nil for a faulty one.
  mutating func event(_ section: Section<EventKey>, node: YAMLNode) -> EventScript.Event? {
    let limit = Duration.seconds(7 * 24 * 3_600)
    if let field = section.required(.at, example: "3 s"),
      let at = field.duration(in: .zero...limit)
    {
      let time = UInt64(at.nanoseconds)
      if time < timeNanoseconds {
        field.error("the event is before the one above it; write events in order of time")
      }
      timeNanoseconds = max(time, timeNanoseconds)
    }
    let verbs = EventKey.verbs.filter { section[$0.key] != nil }
    guard let verb = verbs.first, let field = section[verb.key] else {
      let allowed = EventKey.verbs.map(\.key.rawValue).joined(separator: ", ")
      section.log.error(
        at: section.position,
        "event: it does not say what happens; write one of: \(allowed)",
      )
      return nil
    }
    for key in section.keys where key != .at && key != verb.key && !verb.details.contains(key) {
      let keys = [.at, verb.key] + verb.details
      let allowed = keys.map(\.rawValue).joined(separator: ", ")
      section[key]?.error("an event with '\(verb.key.rawValue)' has no such key; keys: \(allowed)")
    }
    return action(verb.key, field, section, node).map {
      EventScript.Event(
        timeNanoseconds: timeNanoseconds,
        action: $0,
        line: node.position.line,
        column: node.position.column,
      )
    }
  }

  private mutating func action(
    _ key: EventKey,
    _ field: Field,
    _ section: Section<EventKey>,
    _ node: YAMLNode,
  ) -> EventScript.Action? {
    switch key {
    case .client:
      let executable = section[.executable]?.text(allowed: "the path of a program")
      return newName(field).map { .client(name: $0, executable: executable) }
    case .open: return open(field, section, node)
    case .play: return session(field, .play)
    case .stop: return session(field, .stop)
    case .activate: return session(field, .activate)
    case .deactivate:
      let notifies = section[.notifyOthers]?.flag() ?? true
      return session(field, .deactivate(notifiesOthers: notifies))
    case .close:
      let action = session(field, .close)
      if case .session(let name, _) = action { names.remove(name) }
      return action
    case .background: return session(field, .background)
    case .foreground:
      if case .scalar("all", _) = field.node.content { return .allInForeground }
      return session(field, .foreground)
    case .requestPermission: return session(field, .requestPermission)
    default: return systemAction(key, field, section)
    }
  }

  private func systemAction(
    _ key: EventKey,
    _ field: Field,
    _ section: Section<EventKey>,
  ) -> EventScript.Action? {
    let shouldResume = section[.shouldResume]?.flag() ?? true
    switch key {
    case .interruption:
      let priorityClass = section[.class]?.choice(of: PriorityClass.self) ?? .phone
      let begins = field.choice(among: [("begin", true), ("end", false)])
      return begins.map {
        $0
          ? .interruptionBegins(priorityClass)
          : .interruptionEnds(priorityClass, shouldResume: shouldResume)
      }
    case .call: return field.choice().map { .call($0, shouldResume: shouldResume) }
    case .silentSwitch: return field.flag().map { .silentSwitch(isOn: $0) }
    case .lock: return field.flag().map { .lock(isOn: $0) }
    case .microphoneMute: return field.flag().map { .microphoneMute(isOn: $0) }
    case .plug: return field.graphName().map { .plug(route: $0, isPlugged: true) }
    case .unplug: return field.graphName().map { .plug(route: $0, isPlugged: false) }
    case .press:
      let app = section[.app].flatMap { known($0) }
      return field.choice(among: Self.keys).map { .press($0, app: app) }
    case .permission:
      guard let app = section.required(.app, example: "recorder")?.text(allowed: "an app's name")
      else { return nil }
      return field.choice().map { .permission(app: app, $0) }
    case .server:
      return field.choice(among: [("lost", false), ("back", true)]).map { .server(isThere: $0) }
    default: return nil
    }
  }

  private static let keys: [(name: String, value: RemoteCommand)] = [
    ("play", .play), ("pause", .pause), ("toggle", .toggle), ("stop", .stop), ("next", .next),
    ("previous", .previous),
  ]

  private mutating func open(
    _ field: Field,
    _ section: Section<EventKey>,
    _ node: YAMLNode,
  ) -> EventScript.Action? {
    guard let name = newName(field), case .mapping(let entries) = node.content else { return nil }
    let keys = Set(AppSessionKey.allCases.map(\.rawValue))
    let own = entries.filter {
      if case .scalar(let name, _) = $0.key.content { keys.contains(name) } else { false }
    }
    let part = YAMLNode(content: .mapping(own), position: node.position)
    guard let session = Section<AppSessionKey>(part, log: section.log) else { return nil }
    return .open(app: name, session: GraphFile.AppSession(session))
  }

  private mutating func newName(_ field: Field) -> String? {
    guard let name = field.text(allowed: "a name") else { return nil }
    guard names.insert(name).inserted else {
      field.error("\(MessageText.quoted(name)) is there already; write 'close: \(name)' before")
      return nil
    }
    return name
  }

  private func session(
    _ field: Field,
    _ action: EventScript.SessionAction,
  ) -> EventScript.Action? {
    known(field).map { .session(name: $0, action) }
  }

  private func known(_ field: Field) -> String? {
    guard let name = field.text(allowed: "a name") else { return nil }
    guard names.contains(name) else {
      let known = names.sorted()
      field.error(
        "there is no \(MessageText.quoted(name)) yet"
          + MessageText.suggestion(for: name, among: known) + "; write 'client: \(name)' or "
          + "'open: \(name)' before"
      )
      return nil
    }
    return name
  }
}
