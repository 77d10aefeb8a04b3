// SPDX-License-Identifier: MIT

internal import YAML

/// Faults of YAML for authors of graph files. [any-thread]
extension YAMLFault {
  /// One sentence: the fault, and what is allowed.
  var message: String {
    switch kind {
    case .noDocument: "the file is empty; it starts with 'multiroute: 1'"
    case .secondDocument: "a second document; a graph file holds one"
    case .tag(let tag):
      "the tag \(MessageText.quoted(tag)) is not known; graph files have no tags"
    case .alias(let name, let anchors):
      plainMessage + MessageText.suggestion(for: name, among: anchors)
    default: plainMessage
    }
  }
}
