// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC

/// The tree of parameters for programs that speak OSCQuery. [any-thread]
package actor OSCQuerySurface: WebSite {
  private let tree: any ParameterTree
  private var host: OSCQueryHostInfo
  private let reader: OSCQueryReader
  private var clients: [Int: OSCQueryClient] = [:]
  private var lastClient = 0
  private var known = OSCQueryNamespace([])
  private var isWatching = false
  private var change: Task<Void, Never>?
  private var later: Task<Void, Never>?

  /// Makes the surface of a host.
  package init(tree: any ParameterTree, host: OSCQueryHostInfo) {
    self.tree = tree
    self.host = host
    reader = OSCQueryReader(tree)
  }

  /// Gives another answer to `HOST_INFO` from now on.
  package func change(to host: OSCQueryHostInfo) { self.host = host }

  /// Passes the changes of parameters on until the host ends.
  package func run() async {
    for await news in tree.news {
      if case .parameters(let changes) = news { await pass(changes) }
    }
  }

  // MARK: - Requests

  /// Answers a request for a node or an attribute.
  package func answer(_ request: WebRequest) async -> WebResponse {
    OSCQueryReply.response(to: request, in: await reader.namespace(), host: host)
  }

  /// Begins a session with a client; its path is of no importance.
  package nonisolated func session(
    for request: WebRequest,
    on link: WebLink,
  ) -> (any WebSession)? { OSCQuerySession(surface: self, link: link) }

  // MARK: - Clients

  /// Adds a client; its changes come from now on.
  func add(_ link: WebLink) async -> Int {
    lastClient += 1
    let client = lastClient
    clients[client] = OSCQueryClient(link: link)
    await settle()
    return client
  }

  /// Removes a client.
  func remove(_ client: Int) async {
    clients[client] = nil
    await settle()
  }

  /// Carries out a command of a client; unknown ones have no effect.
  func carryOut(_ command: OSCQueryCommand, for client: Int) {
    guard known.methods[command.path] != nil else { return }
    switch command.name {
    case "LISTEN": clients[client]?.listen(to: command.path)
    case "IGNORE": clients[client]?.ignore(command.path)
    default: break
    }
  }

  /// Watches the tree as long as there are clients, and knows it then.
  private func settle() async {
    let before = change
    let task = Task {
      await before?.value
      guard isWatching == clients.isEmpty else { return }
      do throws(ControlError) {
        _ = try await tree.watch(isWatching ? [] : ["/"], echoes: true)
        isWatching.toggle()
      } catch {
        settleLater()
      }
      if !clients.isEmpty { known = await reader.namespace() }
    }
    change = task
    await task.value
  }

  /// Tries again: the host had too many watchers, and tells of that itself.
  private func settleLater() {
    guard later == nil else { return }
    later = Task {
      try? await Task.sleep(for: .seconds(1))
      later = nil
      await settle()
    }
  }

  // MARK: - Messages

  /// Reads messages of a client: an empty one is answered.
  ///
  /// - Returns: The parameters that the others set.
  func settings(
    of messages: [OSCMessage],
    for client: Int,
  ) -> [(method: OSCQueryMethod, setting: ParameterSetting)] {
    messages.compactMap { message in
      guard let method = known.methods[message.path] else { return nil }
      guard !message.values.isEmpty else {
        clients[client]?.link.send(Self.frame(method))
        return nil
      }
      guard let value = try? method.value(message.values) else {
        // The proposal has no words for a refusal: the client is sent the value that stands.
        clients[client]?.link.send(Self.frame(method))
        return nil
      }
      return (method, ParameterSetting(path: method.parameter.path, value: value))
    }
  }

  /// Sets parameters for a client; each that is refused stays as it was.
  func set(_ settings: [(method: OSCQueryMethod, setting: ParameterSetting)], for client: Int) async
  {
    for (method, setting) in settings {
      var changed = method
      changed.parameter.value = setting.value
      clients[client]?.hasSet(changed, to: changed.values)
    }
    for (place, _) in await tree.setEach(settings.map(\.setting)) {
      await takeBack(settings[place].method, for: client)
    }
  }

  /// Gives a client the value of a parameter that it could not set: the proposal has no other way to refuse.
  private func takeBack(_ method: OSCQueryMethod, for client: Int) async {
    clients[client]?.forget(method.path)
    // One that has gone is told by PATH_REMOVED.
    guard let present = try? await tree.get([method.parameter.path]).first else { return }
    var method = method
    method.parameter.value = present.value
    clients[client]?.link.send(Self.frame(method))
  }

  // MARK: - Changes

  private func pass(_ changes: ParameterChanges) async {
    if let steps = changes.renamed { rename(steps) }
    let arrived = changes.changes.filter { known.methods[$0.path] == nil }
    for setting in changes.changes {
      for method in known.take(setting) {
        let frame = Self.frame(method)
        for client in clients.keys where clients[client]?.wants(method) == true {
          clients[client]?.link.send(frame)
        }
      }
    }
    guard !arrived.isEmpty || !changes.removed.isEmpty else { return }
    let before = known
    known = await reader.namespace()
    tell("PATH_REMOVED", before.topmostPaths(missingIn: known))
    tell("PATH_ADDED", known.topmostPaths(missingIn: before))
    tell("PATH_CHANGED", known.paths(describedOtherwiseIn: before))
    let gone = before.methods.keys.filter { known.methods[$0] == nil }
    for client in clients.keys {
      for path in gone { clients[client]?.ignore(path) }
    }
  }

  /// Tells of other addresses; whoever listens goes on listening there (OQ-6).
  private func rename(_ steps: [ParameterRename]) {
    known.rename(steps)
    for client in clients.keys { clients[client]?.rename(steps) }
    for step in steps {
      let message = OSCQueryReply.command(step)
      for client in clients.values { client.link.send(message) }
    }
  }

  private func tell(_ command: String, _ paths: [String]) {
    for path in paths {
      let message = OSCQueryReply.command(command, path)
      for client in clients.values { client.link.send(message) }
    }
  }

  private static func frame(_ method: OSCQueryMethod) -> WebMessage {
    .binary(OSCPacket.message(OSCMessage(method.path, method.values)).bytes)
  }
}
