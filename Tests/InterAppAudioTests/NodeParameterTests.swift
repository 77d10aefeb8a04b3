// SPDX-License-Identifier: MIT

import InterAppAudio
import NodeKit
import Testing

/// Values that are refused before a server is contacted.
@Suite struct NodeParameterTests {
  private func refusal(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let error as InterAppAudioError {
      #expect(error.code == .invalidProperty)
      return error.message
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    (StereoDelay.Settings(delaySeconds: .nan), "time nan: allowed is 0.001 to 5.0 s"),
    (StereoDelay.Settings(delaySeconds: 0), "time 0.0: allowed is 0.001 to 5.0 s"),
    (StereoDelay.Settings(delaySeconds: 1e9), "time 1000000000.0: allowed is 0.001 to 5.0 s"),
    (StereoDelay.Settings(feedbackLinear: 1), "feedback 1.0: allowed is 0.0 to 0.95"),
    (StereoDelay.Settings(mixLinear: 5), "mix 5.0: allowed is 0.0 to 1.0"),
    (StereoDelay.Settings(mixLinear: -.infinity), "mix -inf: allowed is 0.0 to 1.0"),
  ])
  func `a delay out of range is refused by name, value and range`(
    _ settings: StereoDelay.Settings,
    _ message: String,
  ) {
    #expect(refusal { _ = try StereoDelay.publish(settings: settings, server: "none") } == message)
  }

  @Test(arguments: [Double.nan, 500, 0.1, -91, .infinity])
  func `an instrument that loud is refused`(_ gainDB: Double) {
    let message = refusal { _ = try PolySynth.publish(gainDB: gainDB, server: "none") }
    #expect(message == "gain \(gainDB): allowed is -90.0 to 0.0 dBFS")
  }

  @Test(
    arguments: [
      (0x90, 3), (0xc5, 2), (0xdf, 2), (0xe0, 3), (0xf1, 2), (0xf2, 3), (0xf3, 2), (0xf6, 1),
      (0xf8, 1), (0xff, 1), (0x7f, 0), (0xf0, 0), (0xf4, 0), (0xf7, 0), (0xfd, 0),
    ] as [(UInt8, Int)]
  )
  func `a MIDI message has the bytes of its status`(_ status: UInt8, _ count: Int) {
    #expect(ScheduledMIDI(frame: 0, status: status, data1: 1, data2: 2).byteCount == count)
  }
}
