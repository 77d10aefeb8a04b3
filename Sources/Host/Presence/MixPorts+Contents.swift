// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import JACK

extension MixPorts {
  /// The contents of an arrangement of these ports.
  ///
  /// - Parameters:
  ///   - gates: The gate of each input; inputs beyond the end of the list have none.
  ///   - feeds: The files that play into strips, by strip; those of unknown strips are left out.
  ///   - recordings: The running recordings; those of unknown strips and routes are left out.
  ///   - inserts: The chains of effects.
  ///   - controllers: The lines to MIDI controllers.
  /// - Returns: The ports in the order of the mix, with their gates, taps and chains.
  func contents(
    gates: [InputGateCell?] = [],
    feeds: [String: StripFeed] = [:],
    taps recordings: [RecordingTap],
    inserts: [InsertPorts],
    controllers: ControllerLines,
  ) -> PortArrangement.Contents {
    PortArrangement.Contents(
      inputs: strips.flatMap(\.ports),
      gates: gates,
      outputs: routes.flatMap(\.ports),
      feeds: feeds.compactMap { feed(of: $0, $1.cell) },
      taps: recordings.compactMap { tap($0) },
      inserts: inserts.compactMap { insert in
        first(of: insert.place).map { insert.binding(first: $0) }
      },
      controllers: controllers,
    )
  }

  private func feed(of strip: String, _ cell: StripFeedCell) -> PortArrangement.Feed? {
    guard let first = first(of: .strip(strip)), channels(of: .strip(strip)) == cell.channels else {
      return nil
    }
    return PortArrangement.Feed(cell: cell, firstPort: first)
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
