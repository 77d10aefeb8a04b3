// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Surfaces

@Suite
struct MeterFrameTests {
  private static func meters(_ tap: MeterTap = .post) -> Meters {
    Meters(
      time: EventTime(frame: nil, monotonicNanoseconds: 1, wallSeconds: 2),
      strips: [
        StripLevels(
          id: "my deck",
          peak: [1, 0.5],
          rms: [0.1, 0],
          prePeak: [0.01, 0.01],
          preRMS: [0.001, 0.001],
          tap: tap,
        )
      ],
      routes: [MixLevels(id: "main", peak: [2], rms: [1])],
    )
  }

  @Test func `the places are paths of parameters, in the order of their levels`() {
    #expect(
      MeterFrame(Self.meters()).places == [
        WebPlaces.Place(path: "/strip/my%20deck", channels: 2),
        WebPlaces.Place(path: "/route/main", channels: 1),
      ]
    )
  }

  @Test func `the bytes are those of the protocol`() {
    #expect(
      MeterFrame(Self.meters()).bytes(generation: 0x0102_0304) == [
        2, 0, 0, 0, 4, 3, 2, 1,
        0x00, 0x00, 0x30, 0xF8,  // 0 dB, -20 dB
        0xA6, 0xFD, 0x00, 0x80,  // -6.02 dB, silence
        0x5A, 0x02, 0x00, 0x00,  // +6.02 dB, 0 dB
      ]
    )
  }

  @Test func `a strip shows the levels of its tap`() {
    let bytes = MeterFrame(Self.meters(.pre)).bytes(generation: 0)
    #expect(Array(bytes[8..<12]) == [0x60, 0xF0, 0x90, 0xE8])  // -40 dB, -60 dB
  }

  @Test(
    arguments: [
      (0, .min), (-1, .min), (.nan, .min), (.infinity, .max), (1e30, .max), (1e-30, -32_767),
      (.leastNonzeroMagnitude, -32_767), (1, 0), (0.5, -602),
    ] as [(Float, Int16)]
  )
  func `a level that no meter shows is held at its ends`(linear: Float, expected: Int16) {
    #expect(MeterFrame.hundredths(linear) == expected)
  }

  @Test func `no levels are a frame without places`() {
    let none = Meters(
      time: EventTime(frame: nil, monotonicNanoseconds: 1, wallSeconds: 2),
      strips: [],
      routes: []
    )
    #expect(MeterFrame(none).bytes(generation: 7) == [0, 0, 0, 0, 7, 0, 0, 0])
  }
}
