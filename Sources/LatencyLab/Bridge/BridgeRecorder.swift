// SPDX-License-Identifier: MIT

import FoundationEssentials
import JACK
import Synchronization

/// The listening end of the bridge benchmark: a separate process, because it is on another JACK server.
///
/// Runs on the task of its command: [control-thread].
public enum BridgeRecorder {
  /// Records two ports to a file.
  ///
  /// - Parameters:
  ///   - ports: The output ports to record: the tone's, and the impulses'.
  ///   - server: The server's name; nil takes the default one.
  ///   - seconds: The duration.
  ///   - path: The file to write.
  /// - Throws: ``LabError`` `jack`, `badFile` or `cancelled`.
  public static func run(
    ports: [String],
    server: String?,
    seconds: Double,
    path: String,
  ) async throws(LabError) {
    var rateHz = 48_000.0
    let client = try unsafe LabClient<BridgeTapState>(
      name: "bridge-recorder",
      server: server,
      process: bridgeRecorderProcess,
    ) { connection throws(JACKError) in
      rateHz = Double(try connection.sampleRateHz)
      var state = BridgeTapState(
        frames: Int(seconds * rateHz),
        stampCapacity: Int(seconds * rateHz / 16),
        rateHz: rateHz,
      )
      for channel in 0..<2 { state.inputs[channel] = try connection.register("in_\(channel + 1)") }
      return state
    }
    defer { client.close() }
    for (index, port) in ports.prefix(2).enumerated() {
      try await connect(port, to: "in_\(index + 1)", of: client.connection)
    }
    let frames = unsafe client.state.pointee.frames
    while unsafe client.state.pointee.recordedFrames.load(ordering: .acquiring) < frames {
      try await LabError.sleep(.milliseconds(50))
    }
    let channels = (0..<2).map { channel in
      unsafe Array(
        UnsafeBufferPointer(start: client.state.pointee.samples + channel * frames, count: frames)
      )
    }
    let stamps = unsafe client.state.pointee.madeStamps
    try BridgeRecording(sampleRateHz: rateHz, channels: channels, stamps: stamps).write(to: path)
  }

  /// A sink's ports come some moments after the sink.
  private static func connect(
    _ port: String,
    to name: String,
    of connection: ClientConnection,
  ) async throws(LabError) {
    for attempt in 1...200 {
      do throws(JACKError) {
        _ = try connection.connect(port, to: "\(connection.name):\(name)")
        return
      } catch {
        guard error.code == .noSuchPort, attempt < 200 else { throw LabError(error) }
      }
      try await LabError.sleep(.milliseconds(50))
    }
  }
}
