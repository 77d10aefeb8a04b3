// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Sessions
import Synchronization
import TestSupport

@testable import AudioSession

/// A host in a process of its own that the session of this process belongs to, with headphones to plug.
final class SessionRig: Sendable {
  let scratch: Scratch
  let graph: String
  let server: String
  let notes = Notes()
  private let arguments: [String]
  private let running: Mutex<HostProcess>
  private let connected: Mutex<ControlClient>

  /// The host.
  var host: HostProcess { running.withLock { $0 } }
  /// The test's own connection to the host.
  var client: ControlClient { connected.withLock { $0 } }
  /// The session of this process.
  var session: AVAudioSession { .sharedInstance() }

  private init(
    _ scratch: Scratch,
    graph: String,
    server: String,
    arguments: [String],
    _ host: HostProcess,
  ) async throws {
    self.scratch = scratch
    self.graph = graph
    self.server = server
    self.arguments = arguments
    running = Mutex(host)
    connected = Mutex(try await host.control())
  }

  /// Starts a host and points the session at it.
  ///
  /// - Parameters:
  ///   - compatibility: The SDK version whose behaviour the session has.
  ///   - permission: The permission to record of programs without an answer of their user.
  ///   - routes: A further route.
  ///   - tower: Further settings of the tower.
  ///   - microphone: The ports that stand for the microphone.
  ///   - arguments: Further arguments of the host.
  /// - Returns: The rig, with a session at its defaults.
  /// - Throws: When the host does not start.
  static func running(
    compatibility: String = "latest",
    permission: String = "granted",
    routes: String = "",
    tower: String = "",
    microphone: [String] = ["system:capture_1", "system:capture_2"],
    arguments: [String] = [],
  ) async throws -> SessionRig {
    let scratch = try Scratch()
    let server = try testServer().name
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      session: {category: multiRoute, options: [mixWithOthers]}
      tower:
        {\(tower) classes: {phone: [call], alarm: [bell], assistant: [helper]}, appsMayChangePolicy: true}
      permissions: {default: \(permission)}
      routes:
        speaker: {type: builtInSpeaker, ports: [system:playback_1, system:playback_2]}
        phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
        mic: {type: builtInMic, direction: input, ports: [\(microphone.joined(separator: ", "))]}
        \(routes)
      sources: {}
      mix: []
      """,
      to: "apps.yaml",
    )
    let host = try await HostProcess.running(
      graph: graph,
      server: server,
      arguments: arguments,
      in: scratch,
    )
    let rig = try await SessionRig(
      scratch,
      graph: graph,
      server: server,
      arguments: arguments,
      host,
    )
    SessionController.shared.disconnect()
    var settings = AVAudioSession.HostSettings()
    settings.host = scratch.socketDirectory + "/" + host.name + ".sock"
    settings.start = .never
    settings.app = "test-app"
    settings.compatibility = compatibility
    AVAudioSession.hostSettings = settings
    rig.notes.start()
    return rig
  }

  /// Ends everything; the session is at its defaults again.
  func end() async throws {
    notes.stop()
    AppAudio.shared.close()
    SystemSounds.shared.audio.close()
    SessionController.shared.disconnect()
    await client.close()
    _ = try await host.stop()
  }

  /// Starts the host anew under its old name, after it was killed.
  func restartHost() async throws {
    let name = host.name
    let next = try await HostProcess.running(
      graph: graph,
      server: server,
      name: name,
      arguments: arguments,
      in: scratch,
    )
    let client = try await next.control()
    running.withLock { $0 = next }
    connected.withLock { $0 = client }
  }

  /// Produces a system event.
  func simulate(
    _ event: Simulate.Event,
    class priorityClass: PriorityClass? = nil,
    route: String? = nil,
    resumes: Bool? = nil,
    isOn: Bool? = nil,
    app: String = "test-app",
  ) async throws {
    var params = Simulate.Params(event: event)
    params.priorityClass = priorityClass
    params.route = route
    params.shouldResume = resumes
    params.on = isOn
    if event == .background { params.app = app }
    _ = try await client.call(Simulate.self, params)
  }

  /// Produces a system event on the command line.
  func simulateByCommand(_ words: String...) async throws {
    let output = try await Multiroute.run(
      ["simulate"] + words + ["--host", host.name],
      in: scratch,
    )
    guard output.end == .code(0) else { throw TestFailure(output.standardError) }
  }

  /// Runs a command about the host.
  func command(_ words: String...) async throws -> Multiroute.Output {
    try await Multiroute.run(words + ["--host", host.name], in: scratch)
  }

  /// Opens the session of another app.
  func open(
    _ app: String,
    category: Sessions.Category = .playback,
    mode: Mode? = nil,
    options: CategoryOptions? = nil,
    class priorityClass: PriorityClass? = nil,
    isActive: Bool = true,
  ) async throws -> String {
    var params = OpenSession.Params(app: app)
    params.category = category
    params.mode = mode
    params.options = options
    params.priorityClass = priorityClass
    let session = try await client.call(OpenSession.self, params).session
    if isActive {
      _ = try await client.call(ActivateSession.self, .init(session: session))
      var adjust = AdjustSession.Params(session: session)
      adjust.ioRunning = true
      _ = try await client.call(AdjustSession.self, adjust)
    }
    return session
  }

  /// Ends the session of another app.
  func close(_ session: String) async throws {
    _ = try await client.call(CloseSession.self, .init(session: session))
  }

  /// Waits until a total number of requests have had to wait for an app's return.
  func waitForQueued(_ count: Int) async throws {
    try await waitUntil("\(count) requests wait") {
      host.events.count { $0.message.contains("waits for its return") } >= count
    }
  }

  /// The host's status of the session of this process.
  func status() async throws -> SessionStatus? {
    try await host.status().sessions.first { $0.app == "test-app" }
  }

  /// The error that a call throws.
  static func error(_ body: () throws -> Void) -> NSError? {
    do {
      try body()
      return nil
    } catch {
      return error as NSError
    }
  }
}

extension NSError {
  /// The SDK's code.
  var sessionCode: AVAudioSession.ErrorCode? { AVAudioSession.ErrorCode(rawValue: code) }
  /// The rule that refused.
  var rule: String? { userInfo[AVAudioSessionErrorRuleKey] as? String }
  /// The values that are allowed instead.
  var allowed: [String] { userInfo[AVAudioSessionErrorAllowedKey] as? [String] ?? [] }
  /// The value at fault.
  var offending: String? { userInfo[AVAudioSessionErrorOffendingKey] as? String }
}
