// SPDX-License-Identifier: MIT

internal import ControlProtocol
package import OSC

/// The tree of parameters for tablets that know X-Air mixers.
package actor XAirSurface {
  private struct Remote {
    var end: ContinuousClock.Instant
    var echoes: Bool
  }

  /// The parameters that are watched.
  private struct Wanted: Equatable {
    var values = false
    var levels = false
    /// The number of times that the host's strips and routes were read.
    var reading = 0
  }

  /// The most clients at once (XA-5).
  static let clientLimit = 8
  /// The length of a lease; clients renew it each 9.5 s, and packets are late on Wi-Fi.
  static let lease = Duration.seconds(11)

  private let tree: any ParameterTree
  private let transport: any OSCTransport
  private let sender: OSCSender
  private let loops: OSCLoops
  private var dialect: XAirDialect
  private var echoes = OSCEchoes()
  private var remotes: [OSCClient: Remote] = [:]
  private var subscriptions = XAirSubscriptions()
  private var watched = Wanted()
  private var reading = 0
  private var arranged: ContinuousClock.Instant?
  private var nextWatch = ContinuousClock.now

  /// Makes a surface; ``begin()`` begins its work.
  init(
    tree: any ParameterTree,
    dialect: XAirDialect,
    inbox: OSCInbox,
    transport: any OSCTransport,
  ) {
    self.tree = tree
    self.transport = transport
    self.dialect = dialect
    sender = OSCSender(transport, bundles: false)
    loops = OSCLoops(tree: tree, inbox: inbox, sender: sender)
  }

  /// Begins to take messages and to send changes.
  func begin() { loops.begin(self) }

  /// Closes the port, and leaves the tree.
  package func end() async { await loops.end() }

  // MARK: - In

  private func take(
    _ message: OSCMessage,
    from client: OSCClient,
    _ changes: inout OSCChangeSet,
  ) async {
    if XAirDialect.tellsAddress(message.path) {
      dialect.address = transport.address(towards: client)
    }
    switch dialect.take(message) {
    case .answers(let answers): await sender.send(answers, to: client)
    case .changes(let new, let kept):
      for change in new {
        changes.add(change.setting, at: change.address, by: client)
        echoes.note(change.setting.value, at: change.address, by: client)
        // A question that follows is answered with the value that was set, not with the one before it (XA-31).
        _ = dialect.take(change.setting)
      }
      for (other, remote) in remotes where other != client || remote.echoes {
        await sender.send(kept, to: other)
      }
    case .remote(let echoes):
      guard remotes[client] != nil || remotes.count < Self.clientLimit else { return }
      remotes[client] = Remote(end: .now + Self.lease, echoes: echoes)
      await watch()
    case .subscription(let subscription):
      guard subscriptions.add(subscription, of: client, now: .now) else { return }
      await watch()
      if let first = dialect.message(subscription) { await sender.send([first], to: client) }
    case .renewal(let name): subscriptions.renew(name, of: client, now: .now)
    case .end(let name): subscriptions.end(name, of: client)
    case .nothing: break
    }
  }

  private func carryOut(_ collected: OSCChangeSet) async {
    guard !collected.isEmpty else { return }
    let refused = await tree.setEach(collected.changes.map(\.setting))
    guard !refused.isEmpty else { return }
    arranged = nil
    await arrange()
    for (place, _) in refused {
      let change = collected.changes[place]
      echoes.forget(change.address)
      // A mixer has no words for a refusal: the fader in the app returns.
      guard let present = dialect.answer(change.address) else { continue }
      await sender.send([present], to: change.client)
    }
  }

  // MARK: - The host's parameters

  /// Reads which strips and routes there are, and their values while these are not watched.
  private func arrange() async {
    let age = watched.values ? Duration.seconds(5) : .milliseconds(100)
    if let arranged, .now - arranged < age { return }
    arranged = .now
    // The root is always there.
    guard let all = try? await tree.list("/") else { return }
    let before = dialect.layout.addresses.keys
    dialect.arrange(all)
    if dialect.layout.addresses.keys != before { reading += 1 }
  }

  /// Watches what clients want: the values while there is one, the levels while one wants meters.
  private func watch() async {
    var wanted = Wanted(reading: reading)
    wanted.values = !remotes.isEmpty || subscriptions.wantsValues
    wanted.levels = subscriptions.wantsLevels
    guard wanted != watched, .now >= nextWatch else { return }
    let paths =
      (wanted.values ? Array(dialect.layout.addresses.keys) : [])
      + (wanted.levels ? dialect.layout.levels : [])
    do throws(ControlError) {
      let values = try await tree.watch(paths.sorted(), echoes: true)
      watched = wanted
      for setting in values { _ = dialect.take(setting) }
    } catch {
      // The host tells of a refusal itself; a later tick tries again.
      nextWatch = .now + .seconds(1)
    }
  }
}

extension XAirSurface: OSCService {
  func take(_ entries: [OSCInbox.Entry], lost: Int) async {
    await arrange()
    var changes = OSCChangeSet()
    for case .packet(let packet, let client) in entries {
      for message in packet.messages { await take(message, from: client, &changes) }
    }
    await carryOut(changes)
    loops.beginTicks()
  }

  func tick() async -> Duration? {
    let now = ContinuousClock.now
    remotes = remotes.filter { $0.value.end > now }
    for (client, subscription) in subscriptions.due(now: now) {
      if let message = dialect.message(subscription) { await sender.send([message], to: client) }
    }
    await watch()
    return remotes.isEmpty && subscriptions.isEmpty ? nil : .milliseconds(50)
  }

  func tell(_ changes: ParameterChanges) async {
    var messages: [OSCClient: [OSCMessage]] = [:]
    // The root is always there.
    if let steps = changes.renamed, let all = try? await tree.list("/") {
      let names = dialect.rename(steps, all)
      reading += 1
      for client in remotes.keys { messages[client, default: []] += names }
      loops.beginTicks()
    }
    for setting in changes.changes {
      for message in dialect.take(setting) {
        let owner = echoes.owner(of: setting.value, at: message.path)
        for (client, remote) in remotes where client != owner || remote.echoes {
          messages[client, default: []].append(message)
        }
      }
    }
    for (client, messages) in messages { await sender.send(messages, to: client) }
  }
}

extension XAirSurface {
  /// Opens a port, and begins to serve the tree there.
  ///
  /// - Parameters:
  ///   - configuration: The port; apps know no other than 10024.
  ///   - name: The name of the mixer.
  ///   - tree: The tree, used by this surface alone.
  /// - Returns: The surface, and the number of its port.
  /// - Throws: ``OSCError`` for a port that cannot be opened. [any-thread]
  package static func start(
    _ configuration: OSCServer.Configuration,
    name: String,
    tree: any ParameterTree,
  ) async throws(OSCError) -> (surface: XAirSurface, port: Int) {
    let inbox = OSCInbox()
    let server = try await OSCServer.start(configuration) { inbox.take($0) }
    let surface = XAirSurface(
      tree: tree,
      dialect: XAirDialect(name: name),
      inbox: inbox,
      transport: server,
    )
    await surface.begin()
    return (surface, server.port)
  }
}
