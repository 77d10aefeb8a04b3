// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK

extension MixPorts {
  /// What an arrangement of these ports is made of.
  ///
  /// - Parameters:
  ///   - gates: What keeps each input silent at times; shorter where the rest has none.
  ///   - recordings: What is recorded; those of strips and routes that are not there are left out.
  ///   - inserts: The chains of effects.
  /// - Returns: The ports in the order of the mix, and what is done with them.
  func contents(
    gates: [InputGateCell?] = [],
    taps recordings: [RecordingTap],
    inserts: [InsertPorts],
  ) -> PortArrangement.Contents {
    PortArrangement.Contents(
      inputs: strips.flatMap(\.ports),
      gates: gates,
      outputs: routes.flatMap(\.ports),
      taps: recordings.compactMap { tap($0) },
      inserts: inserts.compactMap { insert in
        first(of: insert.place).map { insert.binding(first: $0) }
      },
    )
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
