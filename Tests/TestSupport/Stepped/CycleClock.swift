// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization
internal import SystemSupport

/// The clock of a stepped server: the thread that runs its cycles, and what is ordered from it.
///
/// All calls of the network master block, so they run on this thread only. [any-thread]
final class CycleClock: Sendable {
  /// How often a cycle runs that nobody has asked for.
  enum Pace {
    case every(Duration)
    /// Ten times a second: after two seconds without a cycle, the driver looks for another master.
    case held

    var interval: Duration {
      switch self {
      case .every(let interval): interval
      case .held: .milliseconds(100)
      }
    }
  }

  struct Step {
    var remaining: Int
    var from: Int?
    let continuation: CheckedContinuation<SteppedSound, any Error>
  }

  struct State {
    var pace: Pace
    var steps: [Step] = []
    /// Those who wait until no cycle is under way.
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Those who wait for the first cycle.
    var starting: [CheckedContinuation<Void, any Error>] = []
    var isUnderWay = false
    var isEnding = false
    var failure: TestFailure?
    /// The frames of all cycles so far.
    var frame = 0
    var source = Source()
    var sentMIDI: [SteppedMIDI] = []
    var heardMIDI: [SteppedMIDI] = []
    var tape: Tape

    /// The frame at which the next cycle begins that has not taken its input yet.
    func nextFrame(_ frames: Int) -> Int { isUnderWay ? frame + frames : frame }
  }

  private enum Next {
    case end
    case wait(until: DispatchTime)
    case run([[Float]], [(offset: Int, bytes: [UInt8])])
  }

  let frames: Int
  /// The length of a cycle in audio time.
  let period: Duration
  private let captures: Int
  private let state: Mutex<State>
  private let wakeUp = DispatchSemaphore(value: 0)

  /// Starts the thread, which waits for the server and then runs its cycles.
  ///
  /// - Parameters:
  ///   - port: The UDP port at which the server looks for its master.
  ///   - rate: The sample rate in Hz.
  ///   - frames: The length of the period.
  ///   - channels: The number of capture ports, and of playback ports.
  /// - Throws: ``TestFailure`` when the system has no thread.
  init(port: UInt16, rate: UInt32, frames: Int, channels: Int) throws {
    self.frames = frames
    period = .seconds(Double(frames) / Double(rate))
    captures = channels
    state = Mutex(State(pace: .every(period), tape: Tape(channels: channels)))
    let hasThread = BackgroundThread.start(name: "cycle clock") { [self] in
      // A card waits for no program that computes: above jackd, whose threads have 10, where the user may.
      BackgroundThread.raisePriority(20)
      do {
        try live(NetworkMaster(port: port, rate: rate, frames: frames, seconds: 30))
      } catch {
        end(error as? TestFailure ?? TestFailure("\(error)"))
      }
    }
    guard hasThread else { throw TestFailure("the system has no thread") }
  }

  /// Reads or changes what is ordered, and lets the thread look at it.
  func order<Value>(_ body: (inout sending State) -> sending Value) -> Value {
    defer { wakeUp.signal() }
    return state.withLock(body)
  }

  /// Reads what has happened.
  func look<Value>(_ body: (inout sending State) -> sending Value) -> Value {
    state.withLock(body)
  }

  // MARK: - On the thread

  private func live(_ master: NetworkMaster) throws {
    var start = DispatchTime.now()
    while true {
      switch next(after: start) {
      case .end: return end(TestFailure("the stepped server was stopped"))
      case .wait(let time): _ = wakeUp.wait(timeout: time)
      case .run(let sound, let midi):
        start = .now()
        let deadline = start + .seconds(60)
        let heard = try master.run(sound, midi) {
          DispatchTime.now() < deadline && !look { $0.isEnding }
        }
        finish(heard.sound, heard.midi)
      }
    }
  }

  private func next(after start: DispatchTime) -> Next {
    state.withLock { state in
      if state.isEnding { return .end }
      let due = start + state.pace.interval.dispatch
      let isDue = !state.steps.isEmpty || state.frame == 0 || due <= .now()
      guard isDue else { return .wait(until: due) }
      state.isUnderWay = true
      let frame = state.frame
      if !state.steps.isEmpty, state.steps[0].from == nil { state.steps[0].from = frame }
      let midi = state.sentMIDI.filter { $0.frame < frame + frames }
      state.sentMIDI.removeAll { $0.frame < frame + frames }
      return .run(
        state.source.next(frames, channels: captures),
        midi.sorted { $0.frame < $1.frame }.map { ($0.frame - frame, $0.bytes) },
      )
    }
  }

  private func finish(_ sound: [[Float]], _ midi: [(offset: Int, bytes: [UInt8])]) {
    let (done, waiting, starting) = state.withLock { state in
      state.heardMIDI += midi.map { SteppedMIDI(frame: state.frame + $0.offset, bytes: $0.bytes) }
      state.tape.append(sound)
      state.frame += frames
      state.isUnderWay = false
      var done: (Step, SteppedSound)?
      if !state.steps.isEmpty, let from = state.steps[0].from {
        state.steps[0].remaining -= 1
        if state.steps[0].remaining == 0 {
          done = (state.steps.removeFirst(), state.tape.sound(from: from))
        }
      }
      defer { (state.waiting, state.starting) = ([], []) }
      return (done, state.waiting, state.starting)
    }
    done.map { $0.continuation.resume(returning: $1) }
    for continuation in waiting { continuation.resume() }
    for continuation in starting { continuation.resume() }
  }

  private func end(_ failure: TestFailure) {
    let (steps, waiting, starting) = state.withLock { state in
      state.failure = failure
      state.isUnderWay = false
      defer { (state.steps, state.waiting, state.starting) = ([], [], []) }
      return (state.steps, state.waiting, state.starting)
    }
    for step in steps { step.continuation.resume(throwing: failure) }
    for continuation in waiting { continuation.resume() }
    for continuation in starting { continuation.resume(throwing: failure) }
  }
}
