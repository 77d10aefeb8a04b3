// SPDX-License-Identifier: MIT

internal import JACK

/// What the server gives, and what became of the preferred values (HW-3).
struct HardwareFacts: Sendable {
  /// Which server it is; nil before the first attachment.
  var identity: ServerIdentity?
  /// The sample rate in frames per second; 0 before the first attachment.
  var sampleRateHz = 0
  /// The I/O buffer in frames.
  var bufferFrames = 0
  /// Why the rate is what it is.
  var sampleRateReason: String?
  /// Why the buffer is what it is.
  var bufferReason: String?

  /// The length of a period in microseconds.
  var periodMicroseconds: Double {
    sampleRateHz == 0 ? 0 : Double(bufferFrames) * 1e6 / Double(sampleRateHz)
  }

  /// Reads a server's values and brings its buffer to the preferred size, as far as it goes.
  ///
  /// - Throws: `JACKError` when the server has gone meanwhile.
  static func negotiate(
    _ preference: HardwarePreference,
    server: ServerKeeper,
    connection: ClientConnection,
  ) async throws -> HardwareFacts {
    var facts = HardwareFacts()
    facts.identity = server.identity()
    facts.sampleRateHz = Int(try connection.sampleRateHz)
    facts.bufferFrames = Int(try connection.bufferFrames)
    facts.sampleRateReason = rateReason(
      preferred: preference.sampleRateHz,
      actual: facts.sampleRateHz,
      server: server,
    )
    await facts.applyBuffer(preference, connection: connection)
    return facts
  }

  private static func rateReason(
    preferred: Int?,
    actual: Int,
    server: ServerKeeper,
  ) -> String? {
    guard let preferred else { return "no preference; the server's" }
    guard preferred != actual else {
      guard !server.isOwned else { return "as preferred; the server was started with it" }
      return server.foreignSettings.map { "as preferred; \($0.reason)" } ?? "as preferred"
    }
    return server.sampleRateReason
      ?? "the driver does not run at \(preferred) Hz"
  }

  /// These facts, after the server was asked for the preferred buffer size, or the nearest that
  /// works.
  func applyingBuffer(
    _ preference: HardwarePreference,
    connection: ClientConnection,
  ) async -> HardwareFacts {
    var facts = self
    await facts.applyBuffer(preference, connection: connection)
    return facts
  }

  private mutating func applyBuffer(
    _ preference: HardwarePreference,
    connection: ClientConnection,
  ) async {
    guard let ioBuffer = preference.ioBuffer else {
      bufferReason = "no preference; the server's"
      return
    }
    let wanted = ioBuffer.frames(atSampleRateHz: sampleRateHz)
    let outcome = await BufferNegotiation.run(
      wantedFrames: wanted,
      currentFrames: bufferFrames,
    ) { frames in
      await Self.setBuffer(frames, connection: connection)
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
  private static func setBuffer(_ frames: Int, connection: ClientConnection) async -> Int? {
    do {
      try connection.setBufferFrames(UInt32(frames))
      // jackd has done it by now; PipeWire does it at the end of a cycle.
      for _ in 0..<50 where Int(try connection.bufferFrames) != frames {
        try await Task.sleep(for: .milliseconds(10))
      }
      return Int(try connection.bufferFrames)
    } catch {
      return nil
    }
  }
}
