// SPDX-License-Identifier: MIT

internal import JACK
internal import ServerControl
internal import Sessions

/// The server's actual values after the negotiation of the preferences, with the reasons (HW-3).
///
/// Belongs to the control thread.
struct NegotiatedHardware: Sendable {
  /// The server's identity; nil before the first attachment.
  var identity: ServerIdentity?
  /// The actual values, as the tower knows them; 0 before the first attachment.
  private(set) var values = HardwareValues(sampleRateHz: 0, bufferFrames: 0)
  /// The reason for the rate.
  var sampleRateReason: String?
  /// The reason for the buffer.
  var bufferReason: String?

  /// The sample rate in frames per second; JACK's are whole.
  var sampleRateHz: Int { Int(values.sampleRateHz) }
  /// Whether the server is PipeWire, which sets sizes late, and powers of two only.
  var isPipeWire: Bool { identity?.kind == .pipewire }
  /// The I/O buffer in frames.
  var bufferFrames: Int {
    get { values.bufferFrames }
    set { values.bufferFrames = newValue }
  }

  /// The length of a period in microseconds.
  var periodMicroseconds: Double {
    sampleRateHz == 0 ? 0 : Double(bufferFrames) * 1e6 / Double(sampleRateHz)
  }

  /// Reads a server's values and brings its buffer to the preferred size, as far as it goes.
  ///
  /// - Throws: `JACKError` when the server has gone meanwhile.
  static func negotiate(
    _ preference: ServerPreference,
    server: any HostServer,
    client: any OpenedPresence,
    sleep: (Duration) async -> Void,
  ) async throws -> NegotiatedHardware {
    var facts = NegotiatedHardware()
    facts.identity = server.identity()
    facts.values = HardwareValues(
      sampleRateHz: Double(try client.rateHz),
      bufferFrames: try client.currentBufferFrames,
    )
    facts.sampleRateReason = rateReason(
      preferred: preference.sampleRateHz,
      actual: facts.sampleRateHz,
      server: server,
    )
    if facts.isPipeWire, let ioBuffer = preference.ioBuffer {
      await facts.force(ioBuffer, server: server)
    } else {
      await facts.applyBuffer(preference, server: server, client: client, sleep: sleep)
    }
    return facts
  }

  /// Sets the buffer of PipeWire for a client without cycles, to which PipeWire reports no change.
  private mutating func force(_ ioBuffer: ServerPreference.IOBuffer, server: any HostServer) async {
    let wanted = ioBuffer.frames(atSampleRateHz: sampleRateHz)
    let frames = BufferSizeCandidates.around(wanted, powersOfTwo: true)[0]
    _ = await server.setBuffer(frames: frames)
    let outcome = BufferNegotiation.outcome(wanted, frames, powersOfTwo: true)
    bufferFrames = outcome.actualFrames
    bufferReason = outcome.reason
  }

  private static func rateReason(
    preferred: Int?,
    actual: Int,
    server: any HostServer,
  ) -> String? {
    guard let preferred else { return "no preference; the server's" }
    guard preferred != actual else {
      guard !server.isOwned else { return "as preferred; the server was started with it" }
      return server.foreignReason.map { "as preferred; \($0)" } ?? "as preferred"
    }
    return server.sampleRateReason
      ?? "the driver does not run at \(preferred) Hz"
  }

  /// These facts, after the server was asked for the preferred buffer size, or the nearest that
  /// works.
  func applyingBuffer(
    _ preference: ServerPreference,
    server: any HostServer,
    client: any BufferSizing,
    sleep: (Duration) async -> Void,
  ) async -> NegotiatedHardware {
    var facts = self
    await facts.applyBuffer(preference, server: server, client: client, sleep: sleep)
    return facts
  }

  private mutating func applyBuffer(
    _ preference: ServerPreference,
    server: any HostServer,
    client: any BufferSizing,
    sleep: (Duration) async -> Void,
  ) async {
    guard let ioBuffer = preference.ioBuffer else {
      bufferReason = "no preference; the server's"
      return
    }
    let wanted = ioBuffer.frames(atSampleRateHz: sampleRateHz)
    let outcome = await BufferNegotiation.run(
      wantedFrames: wanted,
      currentFrames: bufferFrames,
      powersOfTwo: isPipeWire,
    ) { frames in
      await Self.setBuffer(frames, server: server, client: client, sleep: sleep)
    }
    bufferFrames = outcome.actualFrames
    bufferReason = outcome.reason
    if case .durationSeconds(let seconds) = ioBuffer, outcome.actualFrames == wanted,
      Double(wanted) / Double(sampleRateHz) != seconds
    {
      bufferReason = "\(outcome.reason); a whole number of frames"
    }
  }

  /// Sets a size and returns the one that holds then, or nil when the server refused.
  private static func setBuffer(
    _ frames: Int,
    server: any HostServer,
    client: any BufferSizing,
    sleep: (Duration) async -> Void,
  ) async -> Int? {
    do {
      if await !server.setBuffer(frames: frames) { try client.askForBuffer(frames: frames) }
      // jackd has done it by now; PipeWire does it at the end of a cycle.
      for _ in 0..<50 where try client.currentBufferFrames != frames {
        await sleep(.milliseconds(10))
      }
      return try client.currentBufferFrames
    } catch {
      return nil
    }
  }
}
