// SPDX-License-Identifier: MIT

internal import Mixing

extension KeptState {
  /// The most changes that are told one by one.
  private static let toldChanges = 6

  /// The changes of users that are heard from the start, in words.
  var changes: [String] {
    var words: [String] = []
    if let crossfader { words.append("crossfader \(crossfader.position)") }
    words += strips.sorted { $0.key < $1.key }.map { "strip \($0) \($1.words)" }
    words += routes.sorted { $0.key < $1.key }.map { "route \($0) \($1.words)" }
    for (strip, levels) in sends.sorted(by: { $0.key < $1.key }) {
      words += levels.sorted { $0.key < $1.key }.map { "send \(strip) to \($0) \($1.words)" }
    }
    guard words.count > Self.toldChanges else { return words }
    return words.prefix(Self.toldChanges) + ["\(words.count - Self.toldChanges) more"]
  }
}

extension KeptLevel {
  fileprivate var words: String { isMuted ? "muted" : "\(gainDB) dB" }
}
