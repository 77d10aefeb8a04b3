// SPDX-License-Identifier: MIT

internal import CWebPage

/// A file of the page.
///
/// Pure value: [any-thread].
struct PageFile: Hashable, Sendable {
  /// The name without a folder.
  let name: String
  /// The content.
  let bytes: [UInt8]
  /// The mark by which a browser asks whether its copy is still the same; another run of the host may have another one.
  let mark: String

  /// Makes a file from its parts.
  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    mark = "\"\(String(UInt(bitPattern: bytes.hashValue), radix: 16))\""
  }

  /// The media type; nil for a file that a page has no use for.
  var type: String? {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "json", "webmanifest": "application/manifest+json"
    default: nil
    }
  }
}

/// The files of the page, which are parts of the program.
///
/// Pure value: [any-thread].
struct PageFiles: Sendable {
  private let files: [String: PageFile]

  /// Takes the files out of the program.
  static let program = PageFiles(
    (0..<web_page_file_count()).map { place in
      let file = unsafe web_page_file_at(place)
      let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.length)
      return unsafe PageFile(name: String(cString: file.name), bytes: Array(bytes))
    }
  )

  /// Makes a page of files.
  init(_ files: [PageFile]) {
    self.files = Dictionary(files.map { ($0.name, $0) }) { $1 }
  }

  /// All files, by name.
  var all: [PageFile] { files.values.sorted { $0.name < $1.name } }

  /// The file at a path; nil without one.
  subscript(path: String) -> PageFile? {
    path == "/" ? files["index.html"] : files[String(path.dropFirst())]
  }
}
