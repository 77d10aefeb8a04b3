// SPDX-License-Identifier: MIT

internal import AudioFiles

/// The files that the host plays for programs, each in the strip of its session.
///
/// Belongs to the control thread.
final class PlayedFiles {
  private struct Entry {
    let ticket: UInt64
    let feed: StripFeed
  }

  private var entries: [String: Entry] = [:]
  private var lastTicket: UInt64 = 0
  /// Reads these files ahead, apart from the sources of the graph, which a slow disk here shall not stop.
  private lazy var pool = ReadAheadPool(name: "played-files")

  /// Prepares another thread to open a file.
  ///
  /// - Parameters:
  ///   - sampleRateHz: The rate of the server.
  ///   - report: Takes the events of the file, with its ticket; on the read-ahead thread.
  /// - Returns: The opening, with a ticket of its own.
  func opening(
    sampleRateHz: Double,
    report: @escaping @Sendable (_ ticket: UInt64, FilePlayerEvent) -> Void,
  ) -> FileOpening {
    lastTicket += 1
    let ticket = lastTicket
    return FileOpening(ticket: ticket, sampleRateHz: sampleRateHz, pool: pool) {
      report(ticket, $0)
    }
  }

  /// Plays an opened file into a strip, once its gate opens.
  func add(_ file: OpenedFile, strip: String) {
    entries[strip] = Entry(ticket: file.ticket, feed: StripFeed(file.player))
  }

  /// Forgets the file of a strip; the audio thread plays it until its strip is gone.
  func remove(strip: String) { entries[strip] = nil }

  /// The file of a strip; nil for a strip without one.
  func feed(of strip: String) -> StripFeed? { entries[strip]?.feed }

  /// The strip of the file with this ticket; nil after its end.
  func strip(of ticket: UInt64) -> String? { entries.first { $0.value.ticket == ticket }?.key }

  /// Has the files follow a server to its rate.
  ///
  /// - Parameters:
  ///   - sampleRateHz: The rate.
  ///   - refused: Takes the strip of each file that does not fit the rate, with the reason.
  /// - Returns: The others, by strip.
  func feeds(
    sampleRateHz: Double,
    refused: (_ strip: String, AudioFileError) -> Void,
  ) -> [String: StripFeed] {
    var feeds: [String: StripFeed] = [:]
    for (strip, entry) in entries {
      do throws(AudioFileError) {
        try entry.feed.player.reconfigure(outputSampleRateHz: sampleRateHz)
        feeds[strip] = entry.feed
      } catch {
        refused(strip, error)
      }
    }
    return feeds
  }
}
