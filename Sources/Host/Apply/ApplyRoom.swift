// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import FoundationEssentials
internal import GraphFiles
internal import Surfaces

/// The versions of the graph, which are taken one after the other.
///
/// Belongs to the control thread.
final class ApplyRoom {
  private let inForce: GraphRoom
  private var digest: String?
  private var sinceSeconds = Date().timeIntervalSince1970
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Starts with the graph of the host's start.
  ///
  /// - Parameters:
  ///   - graph: The graph in force.
  ///   - text: The text of its file; nil where it was not read from one.
  init(graph: GraphRoom, text: String?) {
    inForce = graph
    digest = text.map(Self.digest)
  }

  /// The version in force.
  var version: GraphVersion {
    GraphVersion(
      number: inForce.version,
      path: inForce.file.path,
      digest: digest,
      sinceSeconds: sinceSeconds,
    )
  }

  /// Notes that the graph of a text is in force now.
  func took(_ text: String) {
    digest = Self.digest(text)
    sinceSeconds = Date().timeIntervalSince1970
  }

  /// Waits for the version that is being taken; ``end()`` lets the next one begin.
  func begin() async {
    guard isBusy else {
      isBusy = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  /// Ends a turn.
  func end() {
    if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
  }

  private static func digest(_ text: String) -> String {
    MessageDigest.sha256(of: Array(text.utf8))
  }
}
