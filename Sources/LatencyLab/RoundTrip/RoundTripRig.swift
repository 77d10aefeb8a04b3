// SPDX-License-Identifier: MIT

import JACK

/// The clients of a round trip, patched to the two ports.
///
/// Belongs to the control thread.
final class RoundTripRig {
  private let player: LabClient<RoundTripVoice>
  /// Nil where the player captures too.
  private let recorder: LabClient<RoundTripVoice>?
  private let options: RoundTripBenchmark.Options
  private let estimator: RoundTripEstimator
  private let sampleRateHz: UInt32
  let bufferFrames: UInt32

  /// The connection to ask the server with.
  var connection: ClientConnection { player.connection }

  init(options: RoundTripBenchmark.Options, estimator: RoundTripEstimator) throws(LabError) {
    self.options = options
    self.estimator = estimator
    let captureFrames = estimator.captureFrames
    player = try unsafe LabClient(
      name: options.clientName,
      server: options.serverName,
      process: roundTripProcess,
    ) { connection throws(JACKError) in
      RoundTripVoice(
        output: try connection.register("probe"),
        input: options.usesOneClient ? try connection.register("answer") : nil,
        samples: estimator.probe,
        captureFrames: captureFrames,
      )
    }
    recorder =
      options.usesOneClient
      ? nil
      : try unsafe LabClient(
        name: options.clientName + "-answer",
        server: options.serverName,
        process: roundTripProcess,
      ) { connection throws(JACKError) in
        RoundTripVoice(
          output: nil,
          input: try connection.register("answer"),
          samples: [],
          captureFrames: captureFrames,
        )
      }
    let connection = player.connection
    let answering = recorder?.connection ?? connection
    (sampleRateHz, bufferFrames) = try LabError.wrapping { () throws(JACKError) in
      (try connection.sampleRateHz, try connection.bufferFrames)
    }
    try Self.patch("\(connection.name):probe", to: options.destinationPort, connection)
    // By its own client: another one may not have heard of the port yet (PipeWire).
    try Self.patch(options.sourcePort, to: "\(answering.name):answer", answering)
  }

  private static func patch(
    _ source: String,
    to destination: String,
    _ connection: ClientConnection,
  ) throws(LabError) {
    let outcome = try LabError.wrapping { () throws(JACKError) in
      try connection.connect(source, to: destination)
    }
    guard outcome != .ignored else {
      throw LabError(
        .jack,
        "the server ignores the connection of \(source) to \(destination): it was started with -a",
      )
    }
  }

  /// Plays a probe once and returns the capture.
  ///
  /// - Parameter probe: As long as that of the estimator.
  /// - Returns: The samples from the probe's first frame on.
  /// - Throws: ``LabError`` `jack` where the server stands still, `refused` where it loses frames
  ///   again and again, or `cancelled`.
  func capture(_ probe: [Float]) async throws(LabError) -> [Float] {
    unsafe player.state.pointee.take(probe)
    for _ in 0..<Self.attempts {
      let connection = player.connection
      let now = try LabError.wrapping { () throws(JACKError) in try connection.frameTime }
      // Late enough for both clients to have a cycle before it, and for an echo to have gone.
      let pause = max(4 * bufferFrames, sampleRateHz / 20)
      let start = now &+ pause
      unsafe player.state.pointee.arm(atFrame: start)
      if let recorder { unsafe recorder.state.pointee.arm(atFrame: start) }

      let frames = Double(pause) + Double(estimator.captureFrames) + 4 * Double(bufferFrames)
      var patience = Duration.seconds(2 * frames / Double(sampleRateHz) + 2)
      while !isFinished {
        try await LabError.sleep(Self.poll)
        patience -= Self.poll
        guard patience > .zero else {
          throw LabError(.jack, "the server has run no cycle for too long; is it still there?")
        }
      }
      guard wasInterrupted else {
        return unsafe (recorder ?? player).state.pointee.capturedSamples()
      }
    }
    throw LabError(
      .refused,
      "frames were lost (xruns) in each of \(Self.attempts) attempts to play the probe",
    )
  }

  func close() {
    recorder?.close()
    player.close()
  }

  private var isFinished: Bool {
    guard unsafe player.state.pointee.isFinished else { return false }
    return unsafe recorder?.state.pointee.isFinished ?? true
  }

  private var wasInterrupted: Bool {
    if unsafe player.state.pointee.wasInterrupted { return true }
    return unsafe recorder?.state.pointee.wasInterrupted ?? false
  }

  private static let attempts = 20
  private static let poll = Duration.milliseconds(10)
}
