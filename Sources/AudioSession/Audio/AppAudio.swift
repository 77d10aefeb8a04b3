// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import Foundation
internal import JACK
internal import Realtime
internal import Sessions
internal import Synchronization

/// The one JACK client of the app, through which its players and recorders sound and hear.
///
/// Its outputs feed the session's strip at the host, its inputs are connected to the input route. It exists from the first
/// use on until its server or host goes.
@safe
final class AppAudio: @unchecked Sendable {
  static let shared = AppAudio()

  /// How many outputs the client has: enough for a route, or for the flat channels of many.
  private static let steps = [2, 8, 16, 32, 64]

  /// A client with its ports; everything in it belongs to ``lock``.
  @safe
  struct Open: ~Copyable {
    let client: ActiveClient
    let state: UnsafeMutablePointer<AppProcess>
    let outputs: [AudioOutputPort]
    var inputs: [AudioInputPort] = []
    var patch = InputPatch()
    var plans: [AppPlanHolder]
    var isFlat: Bool
  }

  let lock = NSRecursiveLock()
  private(set) var open: Open?
  private var lastPlan: UInt64 = 0
  private var voices: [ObjectIdentifier: Voice] = [:]
  private var recordings: [ObjectIdentifier: Recording] = [:]
  private var running: Set<ObjectIdentifier> = []
  /// The clients of raw audio, which sound through the session's strip too.
  var rawClients: Set<String> = []
  /// Ports of clients that the app has made without the library.
  var ownPorts: (ports: [String], channels: Int) = ([], 0)
  /// What the strip was asked to be last.
  var strip: (ports: [String], channels: Int)?
  private let listener = AppAudioListener()

  /// One thread reads ahead for all players of the app.
  let pool = ReadAheadPool()

  private init() { SessionController.shared.participants.add(listener) }

  // MARK: - Voices and recordings

  /// Lets a player sound through these outputs of the flat channel space.
  ///
  /// - Throws: `NSError` where no host or server can be reached.
  /// [control-thread]
  func add(_ voice: Voice, of owner: AnyObject) throws {
    try lock.withLock {
      try prepare()
      voices[ObjectIdentifier(owner)] = voice
      publish()
    }
  }

  /// Lets a recorder hear.
  ///
  /// - Throws: `NSError` where no host or server can be reached.
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

  /// Takes a player or a recorder out.
  /// [control-thread]
  func remove(_ owner: ObjectIdentifier) {
    lock.withLock {
      let isGone = voices.removeValue(forKey: owner) != nil
      let wasRecording = recordings.removeValue(forKey: owner) != nil
      if isGone || wasRecording { publish() }
    }
    setRunning(false, owner)
  }

  /// Notes that an owner's audio runs or has stopped, and tells the host of the first and the last (SES-4).
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
      // A host that is gone knows that nothing runs.
      try? controller.report(isRunning: change)
    } else if isRunning, !controller.current.isActive {
      try? controller.report(isRunning: true)
    }
    return controller.current.isActive
  }

  /// Whether anything of the app sounds or records now.
  var isRunning: Bool { lock.withLock { !running.isEmpty } }

  /// The sample rate of the server; opens the client where it is not open.
  func sampleRateHz() throws -> Double {
    try lock.withLock {
      try prepare()
      return try withOpen { Double(try $0.client.connection.sampleRateHz) }
    }
  }

  /// JACK's time now in frames, unwrapped; 0 while nothing runs.
  var frameNow: UInt64 {
    lock.withLock {
      guard open != nil else { return 0 }
      return (try? withOpen { unsafe $0.state.pointee.frame.load(ordering: .relaxed) }) ?? 0
    }
  }

  // MARK: - The client

  /// Throws everything away: the server or the host is gone (RST-1).
  func close() {
    lock.withLock {
      running.removeAll()
      voices.removeAll()
      recordings.removeAll()
      strip = nil
      guard let open = open.take() else { return }
      let state = unsafe open.state
      let plans = open.plans
      guard open.client.close() != .timedOut else {
        // A callback may still run: what it uses stays.
        _ = unsafe Unmanaged.passRetained(PlanList(plans))
        return
      }
      unsafe state.deinitialize(count: 1)
      unsafe state.deallocate()
    }
  }

  /// Follows the session to another route: the strip may need more channels, the inputs others.
  func reviewRoute() {
    lock.withLock {
      guard open != nil else { return }
      try? fitOutputs()
      connectInputs()
    }
  }

  /// Works on the client; under the lock.
  func withOpen<Result>(_ body: (inout Open) throws -> Result) throws -> Result {
    guard var opened = open.take() else {
      throw NSError.session(.mediaServicesFailed, "the app has no audio now", rule: "RST-1")
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
      let state = UnsafeMutablePointer<AppProcess>.allocate(capacity: 1)
      unsafe state.initialize(to: AppProcess(plan: plan.pointer))
      let active = try unsafe client.activate(
        process: appProcess,
        context: UnsafeMutableRawPointer(state),
      )
      open = unsafe Open(
        client: active,
        state: state,
        outputs: outputs,
        plans: [plan],
        isFlat: isFlat,
      )
      try updateStrip(channels: count)
    } catch let error as JACKError {
      throw NSError.session(.mediaServicesFailed, "\(error)", rule: "RST-1")
    }
    reviewInput()
  }

  /// Opens the client anew where the route needs more outputs than it has, or another kind of strip.
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

  /// How many outputs the route asks for.
  var wantedOutputs: Int {
    let outputs = SessionController.shared.current.detail?.route.outputs ?? []
    let channels = outputs.reduce(0) { $0 + $1.channels.count }
    // Routes that join later shall not need another strip: those that play must not drop a sample (CAT-5).
    let least = isFlat ? 16 : 2
    return Self.steps.first { $0 >= max(channels, least) } ?? 64
  }

  private var clientName: String {
    let app = SessionController.shared.settings.app
    return String(
      app.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" }.prefix(40)
    )
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

  /// Hands the audio thread who plays and records now, and frees the plans that it has left behind.
  private func publish() {
    try? withOpen { open in
      let plan = makePlan(outputs: open.outputs, inputs: open.inputs)
      _ = unsafe open.state.pointee.plans.publish(plan.pointer)
      let adopted = unsafe open.state.pointee.adopted.load(ordering: .acquiring)
      // The last adopted may still be in use; all before it are not.
      open.plans.removeAll { $0.number < adopted }
      open.plans.append(plan)
    }
  }
}
