// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

/// A graph text with the place of its one fault marked by `‸`, and the message expected there.
struct Marked: Sendable, CustomTestStringConvertible {
  var text: String
  var message: String
  var line = 1
  var column = 1

  var testDescription: String { message }

  /// - Parameters:
  ///   - marked: The text with one mark.
  ///   - message: The whole message expected at the mark.
  init(_ marked: String, _ message: String) {
    text = marked.replacing("‸", with: "", maxReplacements: 1)
    self.message = message
    for scalar in marked.unicodeScalars.prefix(while: { $0 != "‸" }) {
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }
  }

  /// A text that begins with a sound graph, to which `marked` adds a fault.
  static func added(_ marked: String, _ message: String) -> Marked {
    Marked(soundGraph + marked, message)
  }

  /// Two output routes, one input route, three sources.
  static let soundGraph = """
    multiroute: 1
    routes:
      main: {type: lineOut, ports: ["system:playback_1", "system:playback_2"]}
      phones: {type: headphones, ports: ["system:playback_3"]}
      mic: {type: builtInMic, ports: ["system:capture_1"]}
    sources:
      deck-a: {file: a.wav}
      beep: {tone: {}}
      voice: {input: mic}

    """

  /// The expected diagnostics of the text, as a file `g.yaml`.
  var expected: [GraphDiagnostic] {
    [GraphDiagnostic(file: "g.yaml", line: line, column: column, message: message)]
  }

  /// The faults found in the text.
  var found: [GraphDiagnostic] { faults(of: text) }
}

/// The keys of a graph file, as messages list them.
let rootKeys = RootKey.allCases.map(\.rawValue).joined(separator: ", ")

/// The faults of `text` as a file `g.yaml`, with files that all exist.
func faults(of text: String, files: FileProbe = .everythingExists) -> [GraphDiagnostic] {
  do {
    _ = try GraphFile.parse(text, path: "g.yaml", files: files)
    return []
  } catch {
    return error.diagnostics
  }
}
