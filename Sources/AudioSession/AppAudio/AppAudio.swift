// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import Foundation
internal import JACK
internal import Realtime
internal import Sessions
internal import Synchronization

/// The JACK client of the app's players and recorders.
///
/// Its outputs feed the session's strip at the host, and its inputs are connected to the input route. It exists from the
/// first use until its server or host ends. [any-thread] except an audio thread.
@safe
final class AppAudio: @unchecked Sendable {
  static let shared = AppAudio()

  /// The possible numbers of outputs of the client: enough for one route, or for all channels of several.
  private static let steps = [2, 8, 16, 32, 64]

  /// An open client with its ports; protected by ``lock``.
  @safe
  struct Open: ~Copyable {
    var client: AppClient
    let outputs: [AudioOutputPort]
    var inputs: [AudioInputPort] = []
    var patch = InputPatch()
    var isFlat: Bool
  }

  let lock = NSRecursiveLock()
  private(set) var open: Open?
  private var lastPlan: UInt64 = 0
  private var voices: [ObjectIdentifier: Voice] = [:]
  private var recordings: [ObjectIdentifier: Recording] = [:]
  private var running: Set<ObjectIdentifier> = []
  /// The clients of ``AudioIO``, whose outputs are heard through the session's strip too.
  var rawClients: Set<String> = []
  /// Ports of clients that the app opened without the library.
  var ownPorts: (ports: [String], channels: Int) = ([], 0)
  /// The last request for the strip.
  var strip: (ports: [String], channels: Int)?
  private let listener = AppAudioListener()

  /// The thread that reads ahead for all players of the app.
  let pool = ReadAheadPool()

  private init() { SessionController.shared.participants.add(listener) }

  // MARK: - Voices and recordings

  /// Adds a player's voice to the mix.
  ///
  /// - Throws: `NSError` if no host or server can be reached.
  /// [control-thread]
  func add(_ voice: Voice, of owner: AnyObject) throws {
    try lock.withLock {
      try prepare()
      voices[ObjectIdentifier(owner)] = voice
      publish()
    }
  }

  /// Replaces a player's voice in the mix from one cycle to the next.
  ///
  /// - Returns: Whether the old one was in the mix.
  /// [control-thread]
  func replace(_ old: Voice, by voice: Voice, of owner: AnyObject) -> Bool {
    lock.withLock {
      guard voices[ObjectIdentifier(owner)] === old else { return false }
      voices[ObjectIdentifier(owner)] = voice
      publish()
      return true
    }
  }

  /// Connects a recorder with the input route.
  ///
  /// - Throws: `NSError` if no host or server can be reached.
  /// [control-thread]
  func add(_ recording: Recording, of owner: AnyObject, channels: Int) throws {
    try lock.withLock {
      try prepare()
      try prepareInputs(channels)
      recordings[ObjectIdentifier(owner)] = recording
      publish()
      connectInputs()
    }
  }

  /// Removes a player or a recorder.
  /// [control-thread]
  func remove(_ owner: ObjectIdentifier) {
    lock.withLock {
      let isGone = voices.removeValue(forKey: owner) != nil
      let wasRecording = recordings.removeValue(forKey: owner) != nil
      if isGone || wasRecording { publish() }
    }
    setRunning(false, owner)
  }

  /// Notes that an owner's audio started or stopped, and reports the first start and the last stop to the
  /// host (SES-4).
  ///
  /// - Returns: Whether the session is active after that.
  @discardableResult
  func setRunning(_ isRunning: Bool, _ owner: ObjectIdentifier) -> Bool {
    let change = lock.withLock { () -> Bool? in
      let wasEmpty = running.isEmpty
      if isRunning { running.insert(owner) } else { running.remove(owner) }
      return wasEmpty == running.isEmpty ? nil : !running.isEmpty
    }
    let controller = SessionController.shared
    defer { RemoteControl.shared.review() }
    if let change {
      // Without a host, the report can be omitted.
      try? controller.report(isRunning: change)
    } else if isRunning, !controller.current.isActive {
      try? controller.report(isRunning: true)
    }
    return controller.current.isActive
  }

  /// Whether any player or recorder of the app runs now.
  var isRunning: Bool { lock.withLock { !running.isEmpty } }

  /// The sample rate of the server; opens the client if needed.
  func sampleRateHz() throws -> Double {
    try lock.withLock {
      try prepare()
      return try withOpen { Double(try $0.client.connection.sampleRateHz) }
    }
  }

  /// JACK's current time in frames, unwrapped to 64 bits; 0 without a client.
  var frameNow: UInt64 {
    lock.withLock {
      guard open != nil else { return 0 }
      return (try? withOpen { $0.client.frame }) ?? 0
    }
  }

  // MARK: - The client

  /// Closes the client and forgets all players and recorders, because the server or the host has ended (RST-1).
  func close() {
    lock.withLock {
      running.removeAll()
      voices.removeAll()
      recordings.removeAll()
      strip = nil
      guard let open = open.take() else { return }
      open.client.close()
    }
  }

  /// Fits the outputs to a new route and connects the inputs with it.
  func reviewRoute() {
    lock.withLock {
      guard open != nil else { return }
      try? fitOutputs()
      connectInputs()
    }
  }

  /// Calls a body with the open client; the caller holds the lock.
  func withOpen<Result>(_ body: (inout Open) throws -> Result) throws -> Result {
    guard var opened = open.take() else {
      throw NSError.session(
        .mediaServicesFailed,
        "the app's audio is closed; wait for mediaServicesWereReset",
        rule: "RST-1"
      )
    }
    do {
      let result = try body(&opened)
      open = consume opened
      return result
    } catch {
      open = consume opened
      throw error
    }
  }

  private func prepare() throws {
    if open == nil { try openClient() }
    try fitOutputs()
  }

  private func openClient() throws {
    let controller = SessionController.shared
    let server = try controller.serverName()
    do {
      let client = try OpenedClient.open(name: clientName, server: server)
      var outputs: [AudioOutputPort] = []
      let count = wantedOutputs
      for index in 0..<count { outputs.append(try client.connection.register("out_\(index + 1)")) }
      let plan = makePlan(outputs: outputs, inputs: [])
      open = Open(
        client: try AppClient(client, plan: plan),
        outputs: outputs,
        isFlat: isFlat,
      )
      try updateStrip(channels: count)
      try withOpen { $0.client.connection.waitForStrip(outputs: count) }
    } catch let error as JACKError {
      throw NSError.session(.mediaServicesFailed, "\(error)", rule: "RST-1")
    }
    reviewInput()
  }

  /// Reopens the client if the route needs another number of outputs or another kind of strip.
  private func fitOutputs() throws {
    let wanted = wantedOutputs
    let isFlat = isFlat
    let (count, wasFlat) = try withOpen { ($0.outputs.count, $0.isFlat) }
    guard wanted != count || isFlat != wasFlat else { return }
    let kept = (voices, recordings, running)
    close()
    (voices, recordings, running) = kept
    try openClient()
    publish()
  }

  private var isFlat: Bool {
    SessionController.shared.current.configuration.category == .multiRoute
  }

  /// The number of outputs that the route needs.
  var wantedOutputs: Int {
    let outputs = SessionController.shared.current.detail?.route.outputs ?? []
    let channels = outputs.reduce(0) { $0 + $1.channels.count }
    // A route that joins later must not need another strip: players that run must not lose a sample (CAT-5).
    let least = isFlat ? 16 : 2
    return Self.steps.first { $0 >= max(channels, least) } ?? 64
  }

  private var clientName: String {
    let app = SessionController.shared.settings.app
    return String(app.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" })
      .prefix(bytes: 40)
  }

  // MARK: - Plans

  private func makePlan(outputs: [AudioOutputPort], inputs: [AudioInputPort]) -> AppPlanHolder {
    lastPlan += 1
    return AppPlanHolder(
      number: lastPlan,
      outputs: outputs,
      inputs: inputs,
      voices: Array(voices.values),
      recordings: Array(recordings.values),
    )
  }

  /// Publishes a plan with the current players and recorders.
  private func publish() {
    try? withOpen { open in
      open.client.publish(makePlan(outputs: open.outputs, inputs: open.inputs))
    }
  }
}

/// Hands the session's events to the app's audio. [any-thread]
final class AppAudioListener: SessionParticipant {
  func session(did event: SessionEvent) {
    switch event {
    case .mediaServicesLost: AppAudio.shared.close()
    case .routeChanged: AppAudio.shared.reviewRoute()
    case .inputChanged, .interrupted, .deactivated: AppAudio.shared.reviewInput()
    case .interruptionEnded, .remoteCommand: break
    }
  }
}
