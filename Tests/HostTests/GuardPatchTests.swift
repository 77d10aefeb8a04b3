// SPDX-License-Identifier: MIT

import Foundation
import Mixing
import TestSupport
import Testing

@testable import Host

/// The connections that may stand in for a dead host.
struct GuardPatchTests {
  private static let mixes = 1_000
  private static let frames = 16

  private static func path(
    _ port: String,
    _ hardware: String = "system:playback_1",
    gain: Float = 1,
    ceilingDB: Double? = nil,
    isAltered: Bool = false,
  ) -> GuardPatch.Path {
    GuardPatch.Path(
      port: port,
      strip: "dj:\(port)",
      hardware: hardware,
      gain: gain,
      ceilingDB: ceilingDB,
      isAltered: isAltered,
    )
  }

  private func isPlayed(_ paths: GuardPatch.Path...) -> Bool {
    !GuardPatch(paths: paths).placements.isEmpty
  }

  /// The hardware port of a route's channel; some ports belong to several channels.
  private static func hardware(_ route: Int, _ output: Int) -> String {
    "system:playback_\((route * 3 + output) % 5)"
  }

  @Test func `in 1,000 random mixes no output is louder than the renderer played it`() throws {
    var placed = 0
    var silent = 0
    for mix in 0..<Self.mixes {
      let spec = MixSpec.random(seed: TestSeed.derived(number: mix))
      var renderer = try OfflineRenderer(spec, blockFrames: Self.frames)
      // An impulse in a frame of its own for each output of a client: the sound in that frame is its gain.
      let inputs = (0..<spec.inputChannels).map { channel in
        (0..<Self.frames).map { $0 == channel ? Float(1) : 0 }
      }
      let outputs = try renderer.render(inputs: inputs, frames: Self.frames)
      var heard: [String: [Float]] = [:]
      var channel = 0
      for (route, spec) in spec.routes.enumerated() {
        for output in 0..<spec.channels {
          let before = heard[Self.hardware(route, output)] ?? [Float](repeating: 0, count: 16)
          heard[Self.hardware(route, output)] = zip(before, outputs[channel]).map { $0 + $1 }
          channel += 1
        }
      }
      let patch = GuardPatch(paths: paths(of: renderer.engine.heardGains(), in: spec))
      for placement in patch.placements {
        let input = try #require(Int(placement.port))
        #expect(Set(placement.hardware).count == placement.hardware.count)
        for hardware in placement.hardware {
          placed += 1
          let gain = heard[hardware]?[input] ?? 0
          #expect(gain >= Float(pow(10, -1.0 / 20)) - 1e-4, "mix \(mix): \(input) at \(hardware)")
        }
      }
      silent += patch.paths.count - patch.placements.flatMap(\.hardware).count
    }
    #expect(placed > Self.mixes)
    #expect(silent > Self.mixes)
  }

  /// The ways of the strips' channels, numbered in their order, to the hardware.
  private func paths(of gains: [HeardGain], in spec: MixSpec) -> [GuardPatch.Path] {
    var sums: [String: [String: Float]] = [:]
    for gain in gains {
      let first = spec.strips.prefix { $0.id != gain.strip }.reduce(0) { $0 + $1.channels }
      let route = spec.routes.firstIndex { $0.id == gain.route } ?? 0
      let hardware = Self.hardware(route, gain.output)
      sums["\(first + gain.input)", default: [:]][hardware, default: 0] += gain.linear
    }
    return sums.flatMap { port, ways in ways.map { Self.path(port, $0, gain: $1) } }
  }

  @Test func `within 1 dB of full level, and above it, an output is played`() {
    #expect(isPlayed(Self.path("1")))
    #expect(isPlayed(Self.path("1", gain: 0.9)))
    #expect(isPlayed(Self.path("1", gain: 4)))
    #expect(!isPlayed(Self.path("1", gain: 0.89)))
    #expect(!isPlayed(Self.path("1", gain: 0.001)))
    #expect(!isPlayed(Self.path("1", gain: -1)))
    #expect(!isPlayed(Self.path("1", isAltered: true)))
  }

  @Test func `an output is played where it was heard at full level, and only there`() {
    let patch = GuardPatch(paths: [
      Self.path("1", "a"), Self.path("1", "b", gain: 0.5), Self.path("1", "c"),
    ])
    #expect(patch.placements.count == 1)
    #expect(patch.placements.first?.hardware == ["a", "c"])
    #expect(patch.placements.first?.strip == "dj:1")
  }

  @Test func `nothing replaces a limiter that holds a sum, or all, down`() {
    #expect(isPlayed(Self.path("1", ceilingDB: -1)))
    #expect(!isPlayed(Self.path("1", ceilingDB: -6)))
    #expect(!isPlayed(Self.path("1", ceilingDB: -1), Self.path("2", ceilingDB: -1)))
    #expect(!isPlayed(Self.path("1", ceilingDB: -1), Self.path("2", gain: 0.1)))
    #expect(isPlayed(Self.path("1", ceilingDB: -1), Self.path("2", "other", ceilingDB: -1)))
  }

  @Test func `the fate of a client is told with its reason`() {
    let patch = GuardPatch(paths: [
      Self.path("1", "a"), Self.path("2", "b", gain: 0.25), Self.path("3", "a"),
      Self.path("3", "c", isAltered: true),
    ])
    #expect(patch.fate(of: ["1"], named: "mpv") == "If the host dies, its guard plays mpv at a.")
    #expect(
      patch.fate(of: ["2"], named: "mpv")
        == "If the host dies, mpv is silent: it is heard at -12.0 dB, and the guard plays nothing louder than before."
    )
    #expect(
      patch.fate(of: ["3"], named: "mpv")
        == "If the host dies, its guard plays mpv at a, and not at c: effects change it."
    )
    #expect(
      patch.fate(of: ["4"], named: "mpv")
        == "If the host dies, mpv is silent: it is silent now, and the guard plays nothing louder than before."
    )
  }
}
