// SPDX-License-Identifier: MIT

/// The differences of two lists whose entries have no names.
///
/// The longest common part of both stays. Of the rest, an old and a new entry for the same thing are one change. Pure value: [any-thread].
struct ListChanges<Element: Equatable> {
  /// One difference; one side is nil for an entry of one list alone.
  struct Entry {
    var old: Element?
    var new: Element?
    /// The index in the old list.
    var oldIndex: Int?
    /// The index in the new list.
    var newIndex: Int?

    /// Whether the entry is the same, at another place among the others.
    var isMoved: Bool { old == new }
  }

  /// The differences in the order of the new list, then the entries that have gone.
  private(set) var entries: [Entry] = []

  /// Compares two lists.
  ///
  /// - Parameters:
  ///   - old: The older list.
  ///   - new: The newer list.
  ///   - subject: The thing that an entry is for.
  init<Subject: Equatable>(
    from old: [Element],
    to new: [Element],
    subject: (Element) -> Subject,
  ) {
    var removed: [(index: Int, element: Element)] = []
    var inserted: [(index: Int, element: Element)] = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let index, let element, _): removed.append((index, element))
      case .insert(let index, let element, _): inserted.append((index, element))
      }
    }
    removed.sort { $0.index < $1.index }
    for (index, element) in inserted.sorted(by: { $0.index < $1.index }) {
      let same = removed.firstIndex { subject($0.element) == subject(element) }
      let before = same.map { removed.remove(at: $0) }
      entries.append(
        Entry(old: before?.element, new: element, oldIndex: before?.index, newIndex: index)
      )
    }
    entries += removed.map { Entry(old: $0.element, new: nil, oldIndex: $0.index, newIndex: nil) }
  }
}
