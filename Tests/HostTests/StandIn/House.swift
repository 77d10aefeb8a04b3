// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import GraphFiles
import Logging
import Synchronization

@testable import Host

/// A clock that tests move by hand.
final class ManualClock: ControlClock {
  private struct Sleeper {
    let id: Int
    let dueNanoseconds: UInt64
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var nowNanoseconds: UInt64 = 1_000_000_000_000
    var sleepers: [Sleeper] = []
    var lastID = 0
  }

  private let state = Mutex(State())

  var nowNanoseconds: UInt64 { state.withLock { $0.nowNanoseconds } }

  func sleep(_ duration: Duration) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !Task.isCancelled, duration > .zero else { return true }
          let due = state.nowNanoseconds + UInt64(duration / .nanoseconds(1))
          state.sleepers.append(
            Sleeper(id: id, dueNanoseconds: due, continuation: continuation)
          )
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wake { $0.id == id }
    }
  }

  /// Moves the time, and wakes who is due.
  func advance(nanoseconds: UInt64) {
    let now = state.withLock { state in
      state.nowNanoseconds += nanoseconds
      return state.nowNanoseconds
    }
    wake { $0.dueNanoseconds <= now }
  }

  private func wake(_ isDue: (Sleeper) -> Bool) {
    let due = state.withLock { state in
      let due = state.sleepers.filter(isDue)
      state.sleepers.removeAll(where: isDue)
      return due
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}

/// A host on a scripted server, whose time stands still until the test moves it.
final class House: Sendable {
  let host: Host
  let server: ScriptedServer
  let clock = ManualClock()
  /// Its guard; started only by a graph that needs one.
  let guardian = ScriptedGuard(pid: 7)
  private let isEnded = Mutex(false)

  /// Makes a host for a graph; ``start()`` attaches it.
  init(
    _ graph: String,
    hasMeters: Bool = false,
    connectsPorts: Bool = true,
    eventLog: String? = nil,
    _ prepare: (ScriptedServer) -> Void = { _ in },
  ) throws {
    let server = ScriptedServer()
    prepare(server)
    self.server = server
    var configuration = HostConfiguration(
      graph: try GraphFile.parse(graph, path: "house.yaml")
    )
    configuration.stateDirectory = "/tmp/multiroute-house-\(UUID().uuidString)"
    configuration.startsFresh = true
    configuration.connectsPorts = connectsPorts
    configuration.eventLogPath = eventLog
    configuration.guardProgram = "/guard"
    configuration.metersIntervalNanoseconds = hasMeters ? 50_000_000 : nil
    host = Host(
      configuration: configuration,
      logger: Logger(label: "house") { _ in SwiftLogNoOpLogHandler() },
      server: server,
      clock: clock,
      relieveGuard: { _ in },
      startGuard: { [guardian] _ in guardian },
    )
  }

  /// Makes a host on a server, attaches it, and runs a test with it; its output has meters where the test asks for them, and
  /// it makes no connections where others do.
  static func with(
    _ graph: String,
    hasMeters: Bool = false,
    connectsPorts: Bool = true,
    _ prepare: (ScriptedServer) -> Void = { _ in },
    _ test: (House) async throws -> Void,
  ) async throws {
    let house = try House(graph, hasMeters: hasMeters, connectsPorts: connectsPorts, prepare)
    try await house.host.live()
    await house.settle()
    try await test(house)
    let directory = house.host.configuration.stateDirectory
    await house.end()
    if let directory { try? FileManager.default.removeItem(atPath: directory) }
  }

  /// Ends the host.
  func end() async {
    let stopping = Task {
      await host.stop(fadeSeconds: 0)
      isEnded.withLock { $0 = true }
    }
    while !isEnded.withLock({ $0 }) {
      await settle()
      clock.advance(nanoseconds: 50_000_000)
    }
    await stopping.value
  }

  /// Plays the server on the host's thread, and returns when the host has done all that follows from it.
  func play(_ body: @escaping @Sendable (ScriptedServer) -> Void) async {
    await host.run { _ in body(self.server) }
    await settle()
  }

  /// Returns when the host has done all work that does not wait for time.
  func settle() async {
    // A notification may lead to more of them. Each round runs one more step of the work that the thread hands to itself;
    // the limit is for a host that has stopped reading.
    var handled = -1
    while true {
      let notices = await host.run { _ in self.server.notices }
      if notices == handled { return }
      for _ in 0..<10_000 {
        guard await host.run({ _ in self.server.hasUnreadNotices }) else { break }
        await Task.yield()
      }
      for _ in 0..<12 { await host.run { _ in } }
      // Parameters are compared on another thread; a change that comes meanwhile would wait for more time.
      while await host.run({ !$0.parameters.isSettled }) { await Task.yield() }
      handled = notices
    }
  }

  /// Moves the time in steps of the host's timer, with a cycle of audio in each.
  func advance(milliseconds: Int) async {
    for _ in 0..<max(1, milliseconds / 50) {
      clock.advance(nanoseconds: 50_000_000)
      await host.run { _ in for _ in 0..<10 { self.server.presence?.cycle() } }
      await host.look()
      await settle()
    }
  }

  /// Gives some strips alone a signal, and returns when the host has read it.
  func giveSignal(to strips: String...) async {
    await play { $0.presence?.soundingStrips = Set(strips) }
    await advance(milliseconds: 2_100)
  }

  /// Lets time pass, with the host's timer, on a server that runs no cycles.
  func standStill(milliseconds: Int) async {
    for _ in 0..<max(1, milliseconds / 50) {
      clock.advance(nanoseconds: 50_000_000)
      await host.look()
      await settle()
    }
  }

  /// The number of a connection of a user's tool, which opens no session.
  static let userConnection: UInt64 = 1_000

  /// Sends a request as a program does over the control socket, and returns the answer.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - params: Its parameters as JSON.
  ///   - connection: The number of the program's connection; nil for 1, and for a user's where apps are refused.
  /// - Returns: The result.
  /// - Throws: ``Refusal``, or why the request could not be read.
  @discardableResult
  func call(
    _ method: String,
    _ params: String = "{}",
    connection: UInt64? = nil,
  ) async throws -> JSONValue {
    let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
    guard case .message(let message) = RequestDecoder().decode(Data(line.utf8)) else {
      throw ControlError(.parseError, message: "no single message")
    }
    let request = try message.request.get()
    let isForUsers =
      switch request.access {
      case .users, .app: true
      case .everybody, .session, .routePicker, .priorityClass: false
      }
    let id = ConnectionID(rawValue: connection ?? (isForUsers ? Self.userConnection : 1))
    let reply = Task { [host] in await host.router().handle(request, from: id) }
    await settle()
    let answer = await reply.value
    // Patterns are compiled on another thread, so the answer may come after the host seemed settled.
    await settle()
    let data = MessageEncoder().reply(answer, id: nil)
    let decoded = try JSONDecoder().decode([String: JSONValue].self, from: data)
    if case .object(let error)? = decoded["error"], case .string(let text)? = error["message"],
      case .integer(let code)? = error["code"]
    {
      throw Refusal(message: text, code: ControlErrorCode(rawValue: Int(code)))
    }
    return decoded["result"] ?? .null
  }

  /// A program's connection ends.
  func hangUp(_ connection: UInt64) async {
    await host.router().connectionClosed(ConnectionID(rawValue: connection))
    await settle()
  }

  /// The status of the host.
  var status: HostStatus { get async { await host.status() } }

  /// The events that were published since the last call.
  func events() async -> [ControlEvent] {
    await outputs().compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  /// The last levels since the last call.
  func meters() async -> Meters? {
    await outputs().compactMap { if case .meters(let meters) = $0 { meters } else { nil } }.last
  }

  private func outputs() async -> [HostOutput] {
    // The marker is the last output before the list ends, however the stream is buffered.
    let marker = UUID().uuidString
    await host.run { $0.control.publish(.error(), marker) }
    var outputs: [HostOutput] = []
    for await output in host.outputs {
      if case .event(let event) = output, event.message == marker { break }
      outputs.append(output)
    }
    return outputs
  }

  /// The kinds of the events that were published since the last call.
  func kinds() async -> [String] { await events().compactMap { $0.kind?.rawValue } }
}

/// The host's refusal of a request.
struct Refusal: Error, CustomStringConvertible {
  let message: String
  var code: ControlErrorCode?
  var description: String { message }
}

extension JSONValue {
  /// The value of a key; null where there is none.
  subscript(key: String) -> JSONValue {
    if case .object(let object) = self { object[key] ?? .null } else { .null }
  }
}
