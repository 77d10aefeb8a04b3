// SPDX-License-Identifier: MIT

import Foundation
import GraphFiles
import Testing

@Suite("Loading from disk")
struct LoadTests {
  private func fault(_ path: String) -> String? {
    do {
      _ = try GraphFile.load(path: path)
      return nil
    } catch {
      return error.description
    }
  }

  private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "graphs-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "g.yaml")
    try Data(bytes).write(to: file)
    try body(file.path)
  }

  @Test("a file that is not there, a folder, a device without end")
  func unreadable() {
    #expect(
      fault("/nowhere/g.yaml")
        == "/nowhere/g.yaml:1:1: error: the file cannot be read: no such file or directory"
    )
    #expect(fault("/tmp") == "/tmp:1:1: error: the file cannot be read: is a directory")
    #expect(
      fault("/dev/zero")
        == "/dev/zero:1:1: error: it is a pipe or a device; a graph file is a regular file"
    )
  }

  @Test("a file may have as many bytes as a graph file has at most, and no more")
  func size() throws {
    let start = Array("multiroute: 1\n#".utf8)
    for (bytes, isAllowed) in [(1 << 20, true), (1 << 20 + 1, false), (1 << 21, false)] {
      let text = start + [UInt8](repeating: UInt8(ascii: "x"), count: bytes - start.count)
      try withFile(text) { path in
        #expect(fault(path) == (isAllowed ? nil : "\(path):1:1: error: \(Self.tooLarge)"))
      }
    }
  }

  private static let tooLarge = "the file is too large; a graph file has at most 1048576 bytes"

  @Test("a file ends where it ends, whatever call was interrupted before")
  func end() throws {
    try withFile(Array("multiroute: 1\n".utf8)) { path in
      errno = EINTR
      #expect(fault(path) == nil)
    }
  }

  @Test("a pipe that nobody writes to is refused at once")
  func pipe() throws {
    try withFile([]) { path in
      #expect(unsafe unlink(path) == 0 && mkfifo(path, 0o600) == 0)
      #expect(
        fault(path)
          == "\(path):1:1: error: it is a pipe or a device; a graph file is a regular file"
      )
    }
  }

  @Test("bytes that are not UTF-8 are shown where they are")
  func encoding() throws {
    try withFile(Array("multiroute: 1\nname: é".utf8) + [0xFF, 0x0A]) { path in
      #expect(fault(path) == "\(path):2:8: error: not UTF-8; save the file as UTF-8 text")
    }
    try withFile([0xFF, 0xFE] + Array("m\0u\0".utf8)) { path in
      #expect(fault(path) == "\(path):1:1: error: not UTF-8; save the file as UTF-8 text")
    }
  }

  @Test("media files are looked for on disk")
  func media() throws {
    let text = "multiroute: 1\nsources: {a: {file: g.yaml}, b: {file: no.wav}, c: {file: /tmp}}\n"
    try withFile(Array(text.utf8)) { path in
      let folder = path.dropLast("g.yaml".count)
      #expect(
        fault(path) == """
          \(path):2:40: error: file: '\(folder)no.wav': no such file or directory
          \(path):2:59: error: file: '/tmp': is a folder
          """
      )
    }
  }
}
