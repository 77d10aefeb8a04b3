// SPDX-License-Identifier: MIT

import InterAppAudio
import JACK
import NodeKit
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct EffectTests {
  @Test(
    "IAA-7: noise through 1, 4 and 8 effects comes out in the same cycle, bit for bit",
    .jackServer(frames: 128),
    arguments: [1, 4, 8]
  )
  func noDelay(_ count: Int) async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    var random = TestSeed.random()
    let noise = (0..<24_000).map { _ in Float.random(in: -1...1, using: &random) }
    let player = try Player([noise, noise], loops: true, server: server)
    let settings = StereoDelay.Settings(mixLinear: 0)
    let nodes = try (0..<count).map { index in
      try StereoDelay.publish(settings: settings, client: "fx\(index)", server: server)
    }
    let host = try InterAppHost(
      HostDescription(name: "chain"),
      server: server,
      folders: folder.folders,
    )
    var instances: [NodeInstance] = []
    for node in nodes { instances.append(try await host.connect(host.node(named: node.name))) }
    let recorder = try Recorder(
      from: [player.portNames[0], nil],
      capacityFrames: 24_000,
      server: server,
    )
    try await host.insert(instances, between: player.portNames, and: [recorder.portNames[1]])
    player.start()
    recorder.start()
    let recording = try await recorder.finish()
    // One recording of both: the first channel is the source, the second the sum of the two equal
    // channels of the chain.
    #expect(recording.channels[0].contains { $0 != 0 })
    let wrong = zip(recording.channels[0], recording.channels[1]).filter { $0 + $0 != $1 }
    #expect(wrong.isEmpty)
    recorder.close()
    player.close()
    for node in nodes { node.close() }
    await host.close()
  }

  @Test("IAA-1: the delay repeats after its time, from side to side", .jackServer())
  func echo() async throws {
    let server = try testServer().name
    var impulse = [Float](repeating: 0, count: 48_000)
    impulse[100] = 1
    let silence = [Float](repeating: 0, count: 48_000)
    let node = try StereoDelay.publish(
      settings: StereoDelay.Settings(delaySeconds: 0.1, feedbackLinear: 0.5, mixLinear: 0.5),
      server: server,
    )
    let player = try Player([impulse, silence], to: ["delay:in_1", "delay:in_2"], server: server)
    let recorder = try Recorder(
      from: ["delay:out_1", "delay:out_2"],
      capacityFrames: 24_000,
      server: server,
    )
    recorder.start()
    player.start()
    let recording = try await recorder.finish()
    let left = recording.channels[0]
    let right = recording.channels[1]
    let start = try #require(left.firstIndex { $0 != 0 })
    #expect(left[start] == 1)
    #expect(left[start + 4_800] == 0.5)
    #expect(right[start + 9_600] == 0.25)
    #expect(left[start + 14_400] == 0.125)
    #expect(left.filter { $0 != 0 }.count + right.filter { $0 != 0 }.count <= 8)
    recorder.close()
    player.close()
    node.close()
  }

  @Test("IAA-1: the equalizer has its gain at its frequency and none far from it", .jackServer())
  func equalizer() async throws {
    let server = try testServer().name
    let node = try ParametricEqualizer.publish(
      bands: [.init(frequencyHz: 1_000, gainDB: 12, quality: 2)],
      server: server,
    )
    for (frequency, wanted) in [(1_000.0, 12.0), (60, 0), (15_000, 0)] {
      let samples = (0..<48_000).map { index in
        Float(0.1 * sine(Double(index) * frequency / 48_000))
      }
      let player = try Player(
        [samples, samples],
        loops: true,
        to: ["equalizer:in_1", "equalizer:in_2"],
        server: server,
      )
      player.start()
      let recorder = try Recorder(from: ["equalizer:out_1"], capacityFrames: 48_000, server: server)
      recorder.start()
      let heard = try await recorder.finish().channels[0].suffix(24_000).map(\.magnitude).max()
      let ratio = Double(heard ?? 0) / 0.1
      let bounds = wanted == 0 ? 0.97...1.03 : 3.9...4.02
      #expect(bounds.contains(ratio), "\(frequency) Hz: \(ratio)")
      recorder.close()
      player.close()
    }
    node.close()
  }

  private func sine(_ turns: Double) -> Double {
    // The power series is exact enough over one turn.
    let angle = (turns - turns.rounded(.down) - 0.5) * 2 * Double.pi
    var term = angle
    var sum = angle
    for step in 1...15 {
      term *= -angle * angle / Double(2 * step * (2 * step + 1))
      sum += term
    }
    return -sum
  }
}
