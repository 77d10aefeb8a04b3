// SPDX-License-Identifier: MIT

internal import ControlProtocol
package import OSC

/// The tree of parameters for tablets that know X-Air mixers.
package actor XAirSurface {
  private struct Remote {
    var end: ContinuousClock.Instant
    var echoes: Bool
  }

  private struct Metering: Hashable {
    var client: OSCClient
    var number: Int
  }

  /// The most clients at once (XA-5).
  static let clientLimit = 8
  /// The length of a lease; clients renew it each 9.5 s, and packets are late on Wi-Fi.
  static let lease = Duration.seconds(11)

  private let tree: any ParameterTree
  private let inbox: OSCInbox
  private let sender: OSCSender
  private var dialect: XAirDialect
  private var echoes = OSCEchoes()
  private var remotes: [OSCClient: Remote] = [:]
  private var meterings: [Metering: ContinuousClock.Instant] = [:]
  private var watched: [String] = []
  private var arranged: ContinuousClock.Instant?
  private var isKeepingLeases = false
  private var hasEnded = false
  private var tasks: [Task<Void, Never>] = []

  /// Makes a surface; ``begin()`` begins its work.
  init(
    tree: any ParameterTree,
    dialect: XAirDialect,
    inbox: OSCInbox,
    transport: any OSCTransport,
  ) {
    self.tree = tree
    self.dialect = dialect
    self.inbox = inbox
    sender = OSCSender(transport, bundles: false)
  }

  /// Begins to take messages and to send changes.
  func begin() {
    tasks = [
      Task { [weak self, wakes = inbox.wakes] in
        for await _ in wakes { await self?.takeAll() }
      },
      Task { [weak self, news = tree.news] in
        for await news in news {
          if case .parameters(let changes) = news { await self?.tell(changes) }
        }
      },
    ]
  }

  /// Closes the port, and leaves the tree.
  package func end() async {
    hasEnded = true
    await sender.end()
    inbox.close()
    for task in tasks { task.cancel() }
    await tree.close()
  }

  // MARK: - In

  private func takeAll() async {
    while !hasEnded {
      let (entries, _) = inbox.drain()
      guard !entries.isEmpty else { return }
      await arrange()
      var changes = OSCChangeSet()
      for case .packet(let packet, let client) in entries {
        for message in packet.messages { await take(message, from: client, &changes) }
      }
      await carryOut(changes)
    }
  }

  private func take(
    _ message: OSCMessage,
    from client: OSCClient,
    _ changes: inout OSCChangeSet,
  ) async {
    switch dialect.take(message) {
    case .answers(let answers): await sender.send(answers, to: client)
    case .change(let setting):
      changes.add(setting, at: message.path, by: client)
      echoes.note(setting.value, at: message.path, by: client)
      // A question that follows is answered with the value that was set, not with the one before it (XA-31).
      _ = dialect.take(setting)
    case .remote(let echoes):
      guard remotes[client] != nil || remotes.count < Self.clientLimit else { return }
      remotes[client] = Remote(end: .now + Self.lease, echoes: echoes)
      await watch()
    case .meters(let number):
      let metering = Metering(client: client, number: number)
      guard meterings[metering] != nil || meterings.count < 4 * Self.clientLimit else { return }
      meterings[metering] = .now + Self.lease
      await watch()
      await sender.send([dialect.meters(number)], to: client)
    case .nothing: break
    }
  }

  private func carryOut(_ collected: OSCChangeSet) async {
    guard !collected.isEmpty else { return }
    let settings = collected.changes.map(\.setting)
    do throws(ControlError) {
      try await tree.set(settings, rampMilliseconds: nil)
    } catch {
      // A fault hits only the change that has it; the mixer has no way to tell of it but the true value.
      for setting in settings { try? await tree.set([setting], rampMilliseconds: nil) }
      arranged = nil
      await arrange()
    }
  }

  // MARK: - The host's parameters

  /// Reads which strips and routes there are, at most once in five seconds.
  private func arrange() async {
    if let arranged, .now - arranged < .seconds(5) { return }
    arranged = .now
    if let all = try? await tree.list("/") { dialect.arrange(all) }
  }

  /// Watches what clients want: the values while there is one, the levels while one wants meters.
  private func watch() async {
    var paths = remotes.isEmpty ? [] : Array(dialect.layout.addresses.keys)
    if !meterings.isEmpty { paths += dialect.layout.levels.compactMap { $0 } }
    let wanted = Set(paths).sorted()
    guard wanted != watched else { return }
    watched = wanted
    guard let values = try? await tree.watch(wanted, echoes: true) else { return }
    for setting in values { _ = dialect.take(setting) }
    keepLeases()
  }

  /// Ends leases while there are some.
  private func keepLeases() {
    guard !isKeepingLeases, !watched.isEmpty else { return }
    isKeepingLeases = true
    Task { [weak self] in
      // All leases are over within a second of their end.
      while await self?.endLeases() == true { try? await Task.sleep(for: .seconds(1)) }
    }
  }

  private func endLeases() async -> Bool {
    let now = ContinuousClock.now
    remotes = remotes.filter { $0.value.end > now }
    meterings = meterings.filter { $0.value > now }
    await watch()
    isKeepingLeases = !watched.isEmpty && !hasEnded
    return isKeepingLeases
  }

  // MARK: - Out

  private func tell(_ changes: ParameterChanges) async {
    var messages: [OSCClient: [OSCMessage]] = [:]
    var hasLevels = false
    for setting in changes.changes {
      if case .numbers = setting.value { hasLevels = true }
      for message in dialect.take(setting) {
        let owner = echoes.owner(of: setting.value, at: message.path)
        for (client, remote) in remotes where client != owner || remote.echoes {
          messages[client, default: []].append(message)
        }
      }
    }
    if hasLevels {
      for metering in meterings.keys {
        messages[metering.client, default: []].append(dialect.meters(metering.number))
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
      dialect: XAirDialect(name: name, address: server.address),
      inbox: inbox,
      transport: server,
    )
    await surface.begin()
    return (surface, server.port)
  }
}
