// SPDX-License-Identifier: MIT

import ControlProtocol
import Surfaces
import Testing

@testable import Host

/// The frames of levels for one page.
struct MeterFramesTests {
  private static func meters(_ peak: Float, of route: String = "main") -> Meters {
    Meters(
      time: EventTime(frame: nil, monotonicNanoseconds: 1, wallSeconds: 2),
      strips: [],
      routes: [MixLevels(id: route, peak: [peak], rms: [peak])],
    )
  }

  private static func take(
    _ meters: Meters,
    _ frames: inout MeterFrames,
    generation: UInt32 = 1,
    waitingBytes: Int = 0,
  ) -> [WebMessage] {
    let frame = MeterFrame(meters)
    return frames.take(
      meters,
      as: .binary(frame.bytes(generation: generation)),
      of: WebPlaces(generation: generation, places: frame.places),
      waitingBytes: waitingBytes,
    )
  }

  /// The frame of a route with these levels.
  private static func frame(_ peak: Int16, _ rms: Int16, generation: UInt8 = 1) -> WebMessage {
    let numbers = [peak, rms].map { UInt16(bitPattern: $0) }
    return .binary(
      [1, 0, 0, 0, generation, 0, 0, 0] + numbers.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    )
  }

  @Test func `the places come before the first frame, and again when they are others`() {
    var frames = MeterFrames()
    let first = Self.take(Self.meters(1), &frames)
    #expect(first.count == 2)
    #expect(
      first.first
        == .text(
          #"{"jsonrpc":"2.0","method":"webPlaces","params":{"generation":1,"places":[{"channels":1,"path":"/route/main"}]}}"#
        )
    )
    #expect(first.last == Self.frame(0, 0))
    #expect(Self.take(Self.meters(0.1), &frames) == [Self.frame(-2_000, -2_000)])
    let other = Self.take(Self.meters(1, of: "b"), &frames, generation: 2)
    #expect(other.count == 2)
    #expect(other.last == Self.frame(0, 0, generation: 2))
  }

  @Test func `a page that reads slowly gets the highest peak and the mean power of all it missed`()
  {
    var frames = MeterFrames()
    _ = Self.take(Self.meters(0.01), &frames)
    #expect(Self.take(Self.meters(1), &frames, waitingBytes: 100_000) == [])
    for _ in 1...2 {
      #expect(Self.take(Self.meters(0), &frames, waitingBytes: 100_000) == [])
    }
    // Four readings with the power of one.
    #expect(Self.take(Self.meters(0), &frames) == [Self.frame(0, -602)])
    #expect(Self.take(Self.meters(0.1), &frames) == [Self.frame(-2_000, -2_000)])
  }

  @Test func `levels of places that are gone are not folded into those of others`() {
    var frames = MeterFrames()
    _ = Self.take(Self.meters(0.01), &frames)
    #expect(Self.take(Self.meters(1), &frames, waitingBytes: 100_000) == [])
    let messages = Self.take(Self.meters(0.1, of: "b"), &frames, generation: 2)
    #expect(messages.last == Self.frame(-2_000, -2_000, generation: 2))
  }
}
