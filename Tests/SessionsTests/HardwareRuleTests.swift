// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("HW: what others change, and what is asked for too early")
struct HardwareRuleTests {
  private static let window: UInt64 = 10_000_000_000
  fileprivate static let foreign = HardwareValues(bufferFrames: 2_048)

  /// A session with a buffer of 256 frames, which the hardware has.
  private static func scene() -> Scene {
    var scene = HWTests.scene { $0.reassertLimit = 1 }
    scene.open(1, .music)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 256.0 / 48_000)))
    scene.play(1)
    scene.do(.hardwareChanged(values: HardwareValues(bufferFrames: 256), byOthers: false))
    return scene
  }

  @Test("HW-2 the count of what others change starts again after the window, and not with its end")
  func window() {
    let start: UInt64 = 60_000_000_000
    for (later, isRestored) in [
      (0, false), (1_000_000, false), (Self.window, false), (Self.window + 1, true),
    ] {
      var scene = Self.scene()
      #expect(scene.restoredFrames(at: start) == 256)
      #expect(scene.restoredFrames(at: start + later) == (isRestored ? 256 : nil), "\(later)")
    }
    // A clock that goes back starts it again, too.
    var scene = Self.scene()
    #expect(scene.restoredFrames(at: start) == 256)
    #expect(scene.restoredFrames(at: start - 1) == 256)
  }

  @Test("HW-2 values of others that are the wanted ones are left alone")
  func sameAsWanted() {
    var scene = Self.scene()
    scene.do(.hardwareChanged(values: HardwareValues(bufferFrames: 256), byOthers: true))
    #expect(scene.effects.isEmpty)
    #expect(scene.restoredFrames() == 256)
  }

  @Test(
    "HW-2 HW-3 a value that is being restored is pending, and a new preference is restored anew"
  )
  func newPreference() {
    var scene = Self.scene()
    func difference() -> HardwareReport.Difference? {
      scene.tower.state.hardwareReport(of: SessionID(rawValue: 1))?.ioBufferSeconds.difference
    }
    #expect(difference() == nil)
    #expect(scene.restoredFrames() == 256)
    #expect(difference() == .pending)
    #expect(scene.restoredFrames() == nil)
    #expect(difference() == .changedByOthers)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 128.0 / 48_000)))
    scene.ask(1, .activate)
    #expect(HWTests.set(scene.effects)?.bufferFrames == 128)
    #expect(difference() == .pending)
    scene.do(.hardwareChanged(values: Self.foreign, byOthers: true))
    #expect(HWTests.set(scene.effects)?.bufferFrames == 128)
  }

  @Test("HW-2 a session that prefers a rate alone leaves the buffer to others")
  func rateAlone() {
    var scene = HWTests.scene()
    scene.open(1, .music)
    scene.ask(1, .prefer(change: .sampleRate(hz: 44_100)))
    scene.play(1)
    let values = HardwareValues(sampleRateHz: 44_100, bufferFrames: 1_024)
    scene.do(.hardwareChanged(values: values, byOthers: false))
    for frames in [512, 256] {
      let foreign = HardwareValues(sampleRateHz: 44_100, bufferFrames: frames)
      #expect(scene.do(.hardwareChanged(values: foreign, byOthers: true)) == [])
      #expect(scene.tower.state.hardware.actual == foreign)
    }
  }

  @Test("HW-3 an inactive session's preference waits for its activation, whoever has the same one")
  func inactive() throws {
    var scene = HWTests.twoAlike()
    scene.ask(2, .deactivate(notifyOthers: false))
    let report = try #require(scene.tower.state.hardwareReport(of: SessionID(rawValue: 2)))
    #expect(report.ioBufferSeconds.difference == .atNextActivation)
    #expect(report.sampleRateHz.difference == .atNextActivation)
  }

  @Test(
    "HW-1 the gain of the input is set with the activation, and while active at once, within 0 to 1"
  )
  func inputGain() {
    var scene = HWTests.scene()
    func gains() -> [Float] {
      scene.effects.compactMap { if case .setInputGain(let linear) = $0 { linear } else { nil } }
    }
    scene.open(1, .recording)
    scene.ask(1, .prefer(change: .inputGain(linear: 0.25)))
    #expect(gains().isEmpty)
    scene.ask(1, .activate)
    #expect(gains() == [0.25])
    for (asked, set) in [(-1, 0), (0, 0), (0.5, 0.5), (1, 1), (3, 1)] as [(Float, Float)] {
      scene.ask(1, .prefer(change: .inputGain(linear: asked)))
      #expect(gains() == [set], "\(asked)")
    }
  }

  @Test("HW-1 the channels that an active session may prefer are those of all its ports together")
  func channels() {
    var scene = HWTests.scene()
    for port in [Scene.usb, Scene.headphones] { scene.do(.routeAppeared(port: port)) }
    scene.open(1, .routes)
    // Before the activation there is no route whose channels could count.
    #expect(scene.ask(1, .prefer(change: .outputChannels(count: 99))) == .done)
    scene.ask(1, .activate)
    #expect(scene[1]?.route.outputs.count == 2)
    #expect(scene.ask(1, .prefer(change: .outputChannels(count: 4))) == .done)
    #expect(scene.refusal(1, .prefer(change: .outputChannels(count: 5)))?.allowed == ["1…4"])
  }

  @Test("RST-1 while the server is gone no values are set, whoever ends")
  func noServer() {
    var scene = Self.scene()
    scene.open(2, .mixing, isAdopted: true)
    scene.do(.ioStarted(session: SessionID(rawValue: 2)))
    scene.do(.serverLost)
    #expect(HWTests.set(scene.effects) == nil)
    #expect(scene[2] == nil)
    scene.do(.sessionClosed(session: SessionID(rawValue: 1), cause: .died))
    #expect(HWTests.set(scene.effects) == nil)
  }
}

extension Scene {
  /// Another client changes the buffer at this time, or a moment later; gives the buffer that the host restores.
  fileprivate mutating func restoredFrames(at moment: UInt64? = nil) -> Int? {
    time = (moment ?? time + 1_000_000) - 1_000_000
    self.do(.hardwareChanged(values: HardwareRuleTests.foreign, byOthers: true))
    return HWTests.set(effects)?.bufferFrames
  }
}
