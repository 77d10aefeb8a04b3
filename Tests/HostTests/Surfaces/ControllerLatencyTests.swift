// SPDX-License-Identifier: MIT

import GraphFiles
import JACK
import Surfaces
import TestSupport
import Testing

@testable import Host

/// The time from a message of a mapped control to the first sample that it changes.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ControllerLatencyTests {
  private static let periodFrames = 64
  /// Frames between two messages: longer than any ramp.
  private static let spacing = 2_400
  private static let count = 100

  @Test(.jackServer(frames: 64))
  func `a mapped gain is heard within a period and 1 ms, and the crossfader at its frame`()
    async throws
  {
    let controls = """
      , midi: {fader: {device: Fader Box, map: [
          {control: cc 1/7, parameter: /crossfader/position, takeover: jump},
          {control: cc 1/8, parameter: /strip/deck-a/gain, takeover: jump}]}}
      """
    try await ControllerRig.with(controls: controls) { rig in
      let host = rig.host
      let tree = await host.run { rooms in rooms.surfaces.tree(of: host) }
      let surface = ControllerSurface(tree: tree, controllers: rig.graph.controllers)
      Task { try await surface.run() }
      let crossfader = try await Self.latencies(of: 7, values: [32, 64], surface, rig)
      #expect(crossfader?.allSatisfy { $0 == 1 } == true)
      let gain = try await measuredInTime("the latency of a mapped gain") { watch in
        watch.restart()
        return try await Self.latencies(of: 8, values: [127, 90], surface, rig)
      }
      if let gain {
        let bound = Self.periodFrames + 48
        print("message to first changed sample: median \(gain[50]), p99 \(gain[98]) frames")
        #expect(gain[98] <= bound)
      }
    }
  }

  /// Frames from each message to the first sample that differs, sorted.
  private static func latencies(
    of control: UInt8,
    values: [UInt8],
    _ surface: ControllerSurface,
    _ rig: ControllerRig,
  ) async throws -> [Int]? {
    let stream = (0...count).map { index in
      TimedMIDI(
        4_800 + index * spacing + index * 7 % periodFrames,
        [0xB0, control, values[index % 2]]
      )
    }
    let plug = rig.plugCount + 1
    let device = try MIDIDevice(stream, name: "Fader Box", server: rig.server)
    defer { device.close() }
    let port = try await rig.plug(plug)
    let serving = Task { await surface.serve(port) }
    let recorder = try Recorder(
      from: ["\(rig.client):main_out_1"],
      capacityFrames: 4_800 + (count + 3) * spacing,
      server: rig.server,
    )
    defer { recorder.close() }
    // The surface has armed the control by then.
    try await Task.sleep(for: .milliseconds(200))
    recorder.start()
    try await waitUntil("the recorder runs") { recorder.capturedFrames > 0 }
    device.start()
    let recording = try await recorder.finish()
    device.close()
    await serving.value
    guard recording.isContinuous, let first = device.firstFrame else { return nil }
    let samples = recording.channels[0]
    // The first message only brings the control to a known place.
    return stream.dropFirst().compactMap { message in
      let start = Int(first &- recording.firstFrame) + message.frame
      return (1..<spacing).first {
        start + $0 < samples.count && samples[start + $0] != samples[start]
      }
    }.sorted()
  }
}
