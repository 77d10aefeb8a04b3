// SPDX-License-Identifier: MIT

internal import Glibc
internal import YAML

extension GraphRevision {
  /// The text of a graph file for another folder: paths that begin in the graph's folder are written in full.
  ///
  /// - Parameters:
  ///   - text: The text of the graph file.
  ///   - path: The graph file.
  ///   - target: The file that will have the text.
  /// - Returns: The new text; the same one where both files are in one folder.
  /// - Throws: The fault of a text that is not YAML, or the path that cannot be written.
  public static func text(
    _ text: String,
    of path: String,
    movedTo target: String,
  ) throws(GraphRevisionFault) -> String {
    let folder = folder(of: path)
    guard folder != self.folder(of: target) else { return text }
    do throws(YAMLComposer.SyntaxError) {
      var editor = try GraphTextEditor(text)
      do throws(GraphTextFault) {
        try editor.writePathsInFull(MediaFiles(graphPath: folder, probe: .disk))
      } catch {
        throw YAMLFault(position: .start, .other(error.message))
      }
      return editor.text
    } catch {
      throw GraphRevisionFault(description: "\(path): \(error.message)")
    }
  }

  /// The folder of a file without links, with a slash at its end; as it is named where there is no such folder.
  private static func folder(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    guard let real = unsafe realpath(folder, nil) else { return folder }
    defer { unsafe free(real) }
    let found = unsafe String(cString: real)
    return found.hasSuffix("/") ? found : found + "/"
  }
}

/// The paths in the text of a graph. [any-thread]
extension GraphTextEditor {
  /// Writes each path in full that begins in a folder; names of shipped policies stay.
  ///
  /// - Parameter media: The folder.
  /// - Throws: The path that stands for others too.
  fileprivate mutating func writePathsInFull(_ media: MediaFiles) throws(GraphTextFault) {
    let sources = places(of: "file", inEach: ["sources"])
    let recorders = places(of: "file", inEach: ["recorders"])
    let web: [[Step]] = [["surfaces", "web", "certificate"], ["surfaces", "web", "key"]]
    for place in sources + recorders + web {
      try write(relativeText(place).map(media.resolve), at: place)
    }
    for place in places(of: "mapping", inEach: ["controls", "midi"]) {
      try write(relativeText(place).map(media.controllerFile), at: place)
    }
    guard case .sequence(let entries)? = node(["include"])?.content else { return }
    for index in entries.indices {
      let place: [Step] = ["include", .index(index)]
      guard let text = relativeText(place) else { continue }
      let path = media.resolve(text)
      let isShipped = GraphFile.isPolicyName(text) && !FileProbe.isFile(path)
      try write(isShipped ? nil : path, at: place)
    }
  }

  /// The places of a key in each entry of a mapping.
  private func places(of key: String, inEach path: [Step]) -> [[Step]] {
    guard case .mapping(let entries)? = node(path)?.content else { return [] }
    return entries.compactMap(\.key.text).map { path + [.key($0), .key(key)] }
  }

  /// The text of a path that begins in the graph's folder; nil for others, and where there is none.
  private func relativeText(_ place: [Step]) -> String? {
    guard let text = node(place)?.text, !text.isEmpty, !text.hasPrefix("/"), !text.hasPrefix("~/")
    else { return nil }
    return text
  }

  private mutating func write(_ path: String?, at place: [Step]) throws(GraphTextFault) {
    guard let path, let node = node(place) else { return }
    // Brackets and commas would mean something in flow style.
    let isPlain = path.utf8.allSatisfy { byte in
      let scalar = Unicode.Scalar(byte)
      return scalar.properties.isAlphabetic && scalar.isASCII
        || "0123456789/._+-".utf8.contains(byte)
    }
    let value = YAMLValue.scalar(path, isQuoted: !isPlain)
    if case .key(let key)? = place.last {
      return try set(key, at: place.dropLast(), to: value)
    }
    try checkUnshared(along: place)
    try replace(contentSpan(of: node), with: value.line)
  }
}
