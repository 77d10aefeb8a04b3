// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK

extension MixPorts {
  /// Where recordings take their audio from; those of strips and routes that are not there are left out.
  func taps(_ recordings: [RecordingTap]) -> [PortArrangement.Tap] {
    recordings.compactMap { tap($0) }
  }

  private func tap(_ recording: RecordingTap) -> PortArrangement.Tap? {
    let tap = recording.recorder.tap
    var first = 0
    for route in routes {
      if route.id == recording.subject, route.ports.count == tap.channels {
        return PortArrangement.Tap(recorder: tap, firstPort: first, isOutput: true)
      }
      first += route.ports.count
    }
    first = 0
    for strip in strips {
      if strip.id == recording.subject, strip.ports.count == tap.channels {
        return PortArrangement.Tap(recorder: tap, firstPort: first, isOutput: false)
      }
      first += strip.ports.count
    }
    return nil
  }
}
