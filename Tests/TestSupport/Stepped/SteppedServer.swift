// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// A private JACK server whose sound card is the test: a cycle runs when the test says so.
///
/// It is a real jackd with the driver `net`, and this object is its network master. No machine is too slow for it: a cycle takes as
/// long as its clients need, and no sample is lost. Buffer sizes, xruns and a driver's clock need a ``TestServer``.
///
/// Cycles run by themselves after the start. `hold()` stops that, `step` then runs exactly as many as asked for. [any-thread]
public final class SteppedServer: Sendable {
  /// The process, as users of `testServer()` know it; it cannot be restarted.
  public let server: TestServer
  /// The length of a cycle.
  public let periodFrames: Int
  /// The number of hardware inputs, and of outputs.
  public let channels: Int

  let clock: CycleClock

  /// Whether this system refused real-time scheduling to the last server.
  private static let isRealtimeRefused = Atomic<Bool>(false)

  private init(_ server: TestServer, _ clock: CycleClock, channels: Int) {
    self.server = server
    self.clock = clock
    self.channels = channels
    periodFrames = clock.frames
  }

  /// The name to open clients under.
  public var name: String { server.name }

  /// Starts a server, and waits until its ports are there; it runs in real time then.
  ///
  /// - Parameters:
  ///   - rate: The sample rate in Hz.
  ///   - frames: The length of the period.
  ///   - channels: The number of hardware inputs, and of outputs.
  ///   - midi: Whether it has a MIDI port each way. Messages have up to four bytes, and a cycle up to `frames / 3 - 4` of them
  ///     (netjack writes beyond its memory with more).
  ///   - timeLimitMilliseconds: The longest time of a client for a cycle; the server goes on without it then. A killed client
  ///     takes it twice, so a test that kills gives a short one.
  ///   - extraArguments: Further arguments for jackd.
  /// - Returns: The server.
  /// - Throws: ``JACKError`` or ``TestFailure`` when it does not start.
  public static func start(
    rate: UInt32 = 48_000,
    frames: UInt32 = 64,
    channels: Int = 2,
    midi: Bool = false,
    timeLimitMilliseconds: Int = 5_000,
    extraArguments: [String] = [],
  ) async throws -> SteppedServer {
    var failure: any Error = TestFailure("no server")
    // Another process may take the port before it is used.
    for _ in 1...5 {
      let port = try freeUDPPort()
      let isRealtime = !isRealtimeRefused.load(ordering: .relaxed)
      let configuration = ServerConfiguration(
        name: TestServer.freshName(),
        driver: .other("net"),
        sampleRateHz: rate,
        periodFrames: frames,
        isRealtime: isRealtime,
        isSynchronous: true,
        captureChannels: channels,
        playbackChannels: channels,
        // jackd waits for ten times as long (DRIVER_TIMEOUT_FACTOR of JackDriver.h), and twice for a client that was killed.
        extraServerArguments: ["-t", "\(timeLimitMilliseconds / 10)"] + extraArguments,
        extraDriverArguments: [
          "-a", "127.0.0.1", "-p", "\(port)", "-i", midi ? "1" : "0", "-o", midi ? "1" : "0",
          "-l", "0", "-n", "step",
        ],
      )
      // The master waits first: jackd looks for it when it starts, and once a second from then on.
      let clock = try CycleClock(port: port, rate: rate, frames: Int(frames), channels: channels)
      let server: TestServer
      do {
        server = try await TestServer.start(configuration)
      } catch {
        clock.order { $0.isEnding = true }
        throw error
      }
      let stepped = SteppedServer(server, clock, channels: channels)
      if isRealtime, server.process.realtimeFallbackReason != nil {
        // The one that the master knows is gone.
        isRealtimeRefused.store(true, ordering: .relaxed)
      } else {
        do {
          try await clock.waitForFirstCycle()
          return stepped
        } catch {
          failure = error
        }
      }
      await stepped.stop()
    }
    throw failure
  }

  /// Ends the server.
  ///
  /// Clients of this process must be closed before the next one is used.
  public func stop() async {
    // jackd ends after a cycle.
    run()
    await server.stop()
    // The thread may wait for two seconds yet for the answer to a last cycle.
    clock.order { $0.isEnding = true }
  }
}

// MARK: - Cycles

extension SteppedServer {
  /// The frames that have run, counted from the master's first cycle: cycles times ``periodFrames``.
  public var frame: Int { clock.look { $0.frame } }

  /// Runs cycles by itself from now on, after the start too.
  ///
  /// - Parameter interval: The time from one cycle to the next; one that takes longer delays those after it. The length of a period, if
  ///   left out, as of a sound card: programs that read files beside the cycles have their usual time.
  public func run(every interval: Duration? = nil) {
    clock.order { $0.pace = .every(interval ?? clock.period) }
  }

  /// Runs no more cycles by itself, but for ten a second that keep the driver; returns when none is under way.
  ///
  /// Those ten go onto the tape and count like all others.
  public func hold() async {
    await withCheckedContinuation { continuation in
      let mayGoOn = clock.order { state in
        state.pace = .held
        if state.isUnderWay { state.waiting.append(continuation) }
        return !state.isUnderWay
      }
      if mayGoOn { continuation.resume() }
    }
  }

  /// Runs cycles, as fast as the clients are, with no other ones between.
  ///
  /// - Parameter cycles: How many.
  /// - Returns: The samples that the playback ports had.
  /// - Throws: ``TestFailure`` when the server is gone, or netjack lost something.
  @discardableResult
  public func step(_ cycles: Int = 1) async throws -> SteppedSound {
    precondition(cycles > 0, "at least one cycle")
    return try await withCheckedThrowingContinuation { continuation in
      let failure = clock.order { state in
        if state.failure == nil {
          state.steps.append(CycleClock.Step(remaining: cycles, continuation: continuation))
        }
        return state.failure
      }
      if let failure { continuation.resume(throwing: failure) }
    }
  }

  /// Steps until a condition holds, and looks before each cycle.
  ///
  /// - Parameters:
  ///   - what: The condition in words, for the error.
  ///   - cycles: How many cycles at most.
  ///   - file: Where it is waited for, for the error.
  ///   - line: Where it is waited for, for the error.
  ///   - condition: The condition.
  /// - Returns: The samples that the playback ports had in all cycles since the call.
  /// - Throws: ``TestFailure`` after so many cycles; whatever `condition` throws.
  @discardableResult
  public func run(
    until what: String,
    atMost cycles: Int = 100_000,
    file: String = #fileID,
    line: Int = #line,
    _ condition: () async throws -> Bool,
  ) async throws -> SteppedSound {
    var from: Int?
    var remaining = cycles
    while try await !condition() {
      guard remaining > 0 else {
        throw TestFailure("\(file):\(line): not within \(cycles) cycles: \(what)")
      }
      remaining -= 1
      let sound = try await step()
      from = from ?? sound.firstFrame
      // The machine's time, for what programs do beside the cycles.
      try await Task.sleep(for: .milliseconds(1))
    }
    return clock.look { $0.tape.sound(from: from ?? $0.frame) }
  }
}

// MARK: - Sound and MIDI

extension SteppedServer {
  /// Brings samples at the capture ports from the next cycle on, instead of those before.
  ///
  /// - Parameters:
  ///   - samples: The samples, channel by channel; ports without are silent, as all are after the last sample.
  ///   - loops: Whether to begin again at the end.
  /// - Returns: The frame of the first sample.
  @discardableResult
  public func play(_ samples: [[Float]], loops: Bool = false) -> Int {
    clock.order { state in
      state.source = Source(samples, loops: loops)
      return state.nextFrame(periodFrames)
    }
  }

  /// The samples that a playback port had.
  ///
  /// - Parameters:
  ///   - channel: The port, from 0.
  ///   - frame: The first frame, one of the last minute or more.
  /// - Returns: The samples from there to now.
  public func heard(_ channel: Int, from frame: Int) -> [Float] {
    clock.look { $0.tape.samples(channel, frame..<$0.tape.endFrame) }
  }

  /// Sends a message through the MIDI capture port.
  ///
  /// - Parameters:
  ///   - bytes: The message, of one to four bytes.
  ///   - frames: How long after the begin of the next cycle.
  /// - Returns: The frame at which it arrives.
  @discardableResult
  public func sendMIDI(_ bytes: [UInt8], after frames: Int = 0) -> Int {
    clock.order { state in
      let frame = state.nextFrame(periodFrames) + frames
      state.sentMIDI.append(SteppedMIDI(frame: frame, bytes: bytes))
      return frame
    }
  }

  /// The messages that the MIDI playback port had.
  ///
  /// - Parameter frame: The first frame.
  /// - Returns: The messages from there to now, in their order.
  public func receivedMIDI(from frame: Int = 0) -> [SteppedMIDI] {
    clock.look { $0.heardMIDI.filter { $0.frame >= frame } }
  }
}

extension CycleClock {
  /// Waits until the server has run its first cycle.
  ///
  /// - Throws: ``TestFailure`` when the master did not find it.
  func waitForFirstCycle() async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      let result: Result<Void, TestFailure>? = order { state in
        if let failure = state.failure { return .failure(failure) }
        if state.frame > 0 { return .success(()) }
        state.starting.append(continuation)
        return nil
      }
      if let result { continuation.resume(with: result) }
    }
  }
}
