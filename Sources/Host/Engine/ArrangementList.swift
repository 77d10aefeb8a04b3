// SPDX-License-Identifier: MIT

internal import JACK

/// The arrangements that the audio thread uses or may still use, oldest first; the address of one is the
/// tag of a mix.
///
/// Belongs to the control thread.
@safe
struct ArrangementList {
  @safe
  private struct Entry {
    let arrangement: UnsafeMutablePointer<PortArrangement>
    /// What the arrangement's taps write to, kept for as long as it is.
    let recordings: [RecordingTap]

    var tag: UInt64 { UInt64(UInt(bitPattern: unsafe arrangement)) }
  }

  private var entries: [Entry] = []

  /// Makes an arrangement, the newest from now on.
  ///
  /// - Parameters:
  ///   - contents: What it is made of.
  ///   - recordings: What its taps write to.
  /// - Returns: Its tag.
  mutating func add(
    _ contents: PortArrangement.Contents,
    recordings: [RecordingTap] = [],
  ) -> UInt64 {
    let arrangement = unsafe PortArrangement.make(contents)
    let entry = unsafe Entry(arrangement: arrangement, recordings: recordings)
    entries.append(entry)
    return entry.tag
  }

  /// Frees what the audio thread has left, now that it uses the arrangement of this tag.
  ///
  /// - Returns: The tags of all arrangements up to this one; none where there is no such arrangement.
  mutating func adopted(tag: UInt64) -> Set<UInt64> {
    let tags = entries.map(\.tag)
    guard let place = tags.firstIndex(of: tag) else { return [] }
    for entry in entries[..<place] { unsafe PortArrangement.free(entry.arrangement) }
    entries.removeFirst(place)
    return Set(tags[...place])
  }

  /// Frees all, when no callback runs any more.
  mutating func removeAll() {
    for entry in entries { unsafe PortArrangement.free(entry.arrangement) }
    entries.removeAll()
  }

  /// Keeps for ever what a callback that cannot be stopped may still use.
  func abandon() {
    for tap in entries.flatMap(\.recordings) {
      _ = unsafe Unmanaged.passRetained(tap.recorder)
    }
  }
}
