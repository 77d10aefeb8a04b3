// SPDX-License-Identifier: MIT

import GraphFiles
import JACK
import Surfaces
import TestSupport
import Testing

@testable import Host

/// From a message of a mapped control to the first sample that it changes.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ControllerLatencyTests {
  private static let periodFrames = 64
  /// Frames between two messages: longer than any ramp.
  private static let spacing = 2_400
  private static let count = 100

  // How late a gain is, which the control thread sets, `bench control` measures.
  @Test(.steppedServer(frames: 64))
  func `the crossfader moves at the frame of each message, and a mapped gain after it`()
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
      #expect(crossfader == Array(repeating: 1, count: Self.count))
      let gain = try await Self.latencies(of: 8, values: [127, 90], surface, rig)
      #expect(gain.count > 0)
    }
  }

  /// Frames from each message to the first sample that differs before the next message, in order.
  private static func latencies(
    of control: UInt8,
    values: [UInt8],
    _ surface: ControllerSurface,
    _ rig: ControllerRig,
  ) async throws -> [Int] {
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
    try #require(recording.isContinuous)
    let first = try #require(device.firstFrame)
    let samples = recording.channels[0]
    // The first message only brings the control to a known place.
    return stream.dropFirst().compactMap { message in
      let start = Int(first &- recording.firstFrame) + message.frame
      return (1..<spacing).first {
        start + $0 < samples.count && samples[start + $0] != samples[start]
      }
    }
  }
}
