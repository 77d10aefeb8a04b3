// SPDX-License-Identifier: MIT

import Sessions
import Testing

/// The arbiter alone; `HWTests` show it in the tower.
@Suite("Hardware arbiter")
struct HardwareArbiterTests {
  private static let facts = HardwareFacts(
    canSetSampleRate: true,
    sampleRatesHz: [44_100, 48_000, 96_000],
    minimumBufferFrames: 32,
    maximumBufferFrames: 2_048,
  )

  private static func claim(
    _ session: UInt32,
    rate: Double? = nil,
    buffer: Double? = nil,
    as priorityClass: PriorityClass = .app,
    isMixable: Bool = false,
    order: UInt64 = 0,
  ) throws -> HardwareArbiter.Claim {
    HardwareArbiter.Claim(
      session: SessionID(rawValue: session),
      priorityClass: priorityClass,
      isMixable: isMixable,
      activationOrder: order,
      preferences: try HardwarePreferences(sampleRateHz: rate, ioBufferSeconds: buffer),
    )
  }

  private static func decide(
    _ claims: [HardwareArbiter.Claim],
    _ facts: HardwareFacts = facts,
  ) -> HardwareTarget? {
    HardwareArbiter.decide(claims, facts: facts, actual: HardwareValues())
  }

  @Test(
    "a buffer is the power of two that is nearest by ratio, within the allowed ones",
    arguments: [
      (64, 64), (90, 64), (91, 128), (128, 128), (181, 128), (182, 256), (1, 32), (0, 32),
      (-5, 32), (1e12, 2_048), (2_048, 2_048), (2_897, 2_048), (1_448, 1_024), (1_449, 2_048),
    ]
  )
  func buffers(framesPreferred: Double, frames: Int) {
    let found = HardwareArbiter.bufferFrames(
      seconds: framesPreferred / 48_000,
      sampleRateHz: 48_000,
      facts: Self.facts,
    )
    #expect(found == frames)
  }

  @Test("a buffer is at least one frame, where the hardware has no limit")
  func tinyBuffers() {
    let facts = HardwareFacts(minimumBufferFrames: 0, maximumBufferFrames: 0)
    #expect(facts.minimumBufferFrames == 1)
    #expect(facts.maximumBufferFrames == 1)
    let free = HardwareFacts(minimumBufferFrames: 1, maximumBufferFrames: 1 << 30)
    // As far from 64 as from 128: the shorter one.
    let border = 64 * 2.0.squareRoot()
    for (seconds, frames) in [
      (0, 1), (1.4, 1), (1.5, 2), (border, 64), (border.nextUp, 128), (1e300, 1_048_576),
    ] {
      #expect(
        HardwareArbiter.bufferFrames(seconds: seconds, sampleRateHz: 1, facts: free) == frames
      )
    }
  }

  @Test("nobody's claim leaves the hardware alone")
  func nobody() throws {
    #expect(Self.decide([]) == nil)
    #expect(try Self.decide([Self.claim(1)]) == nil)
  }

  @Test(
    "the rate is the nearest one, of the highest class, then of who does not mix, then of the last"
  )
  func rates() throws {
    func owner(_ claims: [HardwareArbiter.Claim]) -> UInt32? {
      let first = Self.decide(claims)?.sampleRateOwner
      #expect(Self.decide(claims.reversed())?.sampleRateOwner == first)
      return first?.rawValue
    }
    let target = try Self.decide([Self.claim(1, rate: 88_200)])
    #expect(target?.values.sampleRateHz == 96_000)
    // Of two that are as near, the first.
    #expect(try Self.decide([Self.claim(1, rate: 46_050)])?.values.sampleRateHz == 44_100)
    #expect(try Self.decide([Self.claim(1, rate: 46_051)])?.values.sampleRateHz == 48_000)
    #expect(target?.values.bufferFrames == HardwareValues().bufferFrames)
    #expect(target?.bufferOwner == nil)
    #expect(
      try owner([Self.claim(1, rate: 48_000, order: 2), Self.claim(2, rate: 44_100, order: 1)]) == 1
    )
    #expect(
      try owner([
        Self.claim(1, rate: 48_000, isMixable: true, order: 2),
        Self.claim(2, rate: 44_100, order: 1),
      ]) == 2
    )
    #expect(
      try owner([
        Self.claim(1, rate: 48_000, order: 2),
        Self.claim(2, rate: 44_100, as: .phone, isMixable: true, order: 1),
      ]) == 2
    )
    #expect(try owner([Self.claim(1, order: 2), Self.claim(2, rate: 44_100, order: 1)]) == 2)
  }

  @Test("a rate that cannot be set has an owner and no effect")
  func fixedRate() throws {
    let target = try Self.decide([Self.claim(1, rate: 44_100)], HardwareFacts())
    #expect(target?.sampleRateOwner?.rawValue == 1)
    #expect(target?.values == HardwareValues())
    let free = HardwareFacts(canSetSampleRate: true)
    #expect(try Self.decide([Self.claim(1, rate: 44_100)], free)?.values.sampleRateHz == 44_100)
  }

  @Test("the buffer is the smallest one that is asked for, and the first of equal ones has it")
  func smallestBuffer() throws {
    let small = try Self.claim(1, buffer: 64 / 48_000.0)
    let large = try Self.claim(2, buffer: 512 / 48_000.0, as: .phone)
    let equal = try Self.claim(3, buffer: 64 / 48_000.0)
    for claims in try [[small, large], [large, small], [small, equal], [Self.claim(4), small]] {
      let target = Self.decide(claims)
      #expect(target?.values.bufferFrames == 64)
      #expect(target?.bufferOwner?.rawValue == 1)
      #expect(target?.values.sampleRateHz == 48_000)
    }
  }

  @Test("the length of a buffer is its frames by the rate")
  func length() {
    #expect(HardwareValues(sampleRateHz: 48_000, bufferFrames: 480).ioBufferSeconds == 0.01)
    #expect(HardwareValues(sampleRateHz: 0, bufferFrames: 480).ioBufferSeconds == 0)
    #expect(HardwareValues(sampleRateHz: 1, bufferFrames: 2).ioBufferSeconds == 2)
  }

  @Test(
    "a preference that is no value is refused, and changes nothing",
    arguments: [
      .sampleRate(hz: -1), .sampleRate(hz: .infinity), .sampleRate(hz: .nan),
      .ioBuffer(seconds: -0.001), .ioBuffer(seconds: .infinity), .ioBuffer(seconds: .nan),
      .inputChannels(count: 0), .outputChannels(count: 0), .inputGain(linear: .nan),
      .inputGain(linear: .infinity),
    ] as [HardwarePreferences.Change]
  )
  func refused(change: HardwarePreferences.Change) throws {
    let before = try HardwarePreferences(sampleRateHz: 48_000, ioBufferSeconds: 0.01)
    var preferences = before
    #expect(throws: SessionError.self) { try preferences.apply(change) }
    #expect(preferences == before)
  }

  @Test("a preference of 0 is none, and a gain beyond its ends counts as the end")
  func ends() throws {
    var preferences = try HardwarePreferences(sampleRateHz: 48_000, ioBufferSeconds: 0.01)
    try preferences.apply(.sampleRate(hz: 0))
    try preferences.apply(.ioBuffer(seconds: 0))
    #expect(preferences == HardwarePreferences())
    for (gain, expected) in [(-1, 0), (0, 0), (0.25, 0.25), (1, 1), (2, 1)] as [(Float, Float)] {
      try preferences.apply(.inputGain(linear: gain))
      #expect(preferences.inputGainLinear == expected)
    }
    try preferences.apply(.inputChannels(count: 1))
    try preferences.apply(.outputChannels(count: 1))
    #expect(preferences.inputChannels == 1)
    #expect(preferences.outputChannels == 1)
  }
}
