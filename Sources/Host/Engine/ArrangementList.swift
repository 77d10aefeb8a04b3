// SPDX-License-Identifier: MIT

internal import JACK

/// The arrangements that the audio thread uses or may still use, oldest first.
///
/// The address of an arrangement is the tag of its mix.
///
/// Belongs to the control thread.
@safe
struct ArrangementList {
  @safe
  private struct Entry {
    let arrangement: UnsafeMutablePointer<PortArrangement>
    /// The recordings that the arrangement's taps write to, kept as long as the arrangement.
    let recordings: [RecordingTap]
    /// The files that play into its strips, kept as long as the arrangement.
    let feeds: [StripFeed]

    var tag: UInt64 { UInt64(UInt(bitPattern: unsafe arrangement)) }
  }

  private var entries: [Entry] = []

  /// Makes an arrangement, which becomes the newest.
  ///
  /// - Parameters:
  ///   - contents: Its ports, gates, taps and chains.
  ///   - recordings: The recordings that its taps write to.
  ///   - feeds: The files that play into its strips.
  /// - Returns: Its tag.
  mutating func add(
    _ contents: PortArrangement.Contents,
    recordings: [RecordingTap] = [],
    feeds: [StripFeed] = [],
  ) -> UInt64 {
    let arrangement = unsafe PortArrangement.make(contents)
    let entry = unsafe Entry(arrangement: arrangement, recordings: recordings, feeds: feeds)
    entries.append(entry)
    return entry.tag
  }

  /// Frees the arrangements that the audio thread has left, now that it uses the one of this tag.
  ///
  /// - Returns: The tags of all arrangements up to this one; empty for an unknown tag.
  mutating func adopted(tag: UInt64) -> Set<UInt64> {
    let tags = entries.map(\.tag)
    guard let place = tags.firstIndex(of: tag) else { return [] }
    for entry in entries[..<place] { unsafe PortArrangement.free(entry.arrangement) }
    entries.removeFirst(place)
    return Set(tags[...place])
  }

  /// Frees all arrangements.
  ///
  /// Callbacks may not run any more.
  mutating func removeAll() {
    for entry in entries { unsafe PortArrangement.free(entry.arrangement) }
    entries.removeAll()
  }

  /// Leaks the arrangements for good, because a callback that cannot be stopped may still use them.
  func abandon() {
    for tap in entries.flatMap(\.recordings) {
      _ = unsafe Unmanaged.passRetained(tap.recorder)
    }
    for feed in entries.flatMap(\.feeds) { _ = unsafe Unmanaged.passRetained(feed) }
  }
}
