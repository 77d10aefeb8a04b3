// SPDX-License-Identifier: MIT

internal import OSC

/// The addresses of a tree, read again when one is not known, but not for each message.
actor OSCDirectory {
  private let tree: any ParameterTree
  private var time: ContinuousClock.Instant?

  /// The addresses as they were read last.
  private(set) var book = OSCAddressBook()

  /// Makes the directory of a tree.
  init(_ tree: any ParameterTree) { self.tree = tree }

  /// The addresses that are written so, or that a pattern reaches; at least one.
  ///
  /// - Throws: ``OSCError`` if there is none.
  func addresses(_ path: String) async throws(OSCError) -> [OSCAddress] {
    if OSCPattern.isPattern(path) {
      let pattern = try OSCPattern(path)
      await refresh(after: .seconds(2))
      let found = book.addresses(matching: pattern)
      guard !found.isEmpty else { throw OSCError("the pattern reaches no address") }
      return found
    }
    if let address = book[path] { return [address] }
    await refresh(after: .milliseconds(250))
    guard let address = book[path] else {
      throw OSCError("there is no such address; 'multiroute list' shows all parameters")
    }
    return [address]
  }

  /// Reads all parameters, unless they were read a short time ago.
  func refresh(after age: Duration) async {
    let now = ContinuousClock.now
    if let time, now - time < age { return }
    time = now
    // The root is always there.
    if let all = try? await tree.list("/") { book = OSCAddressBook(all) }
  }

  /// Reads all parameters for the next address that is not known.
  func doubt() { time = nil }
}
