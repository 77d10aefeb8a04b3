// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing

@testable import SystemSupport

/// Files that are replaced as a whole.
@Suite struct FileReplacementTests {
  private static func makeFolder() throws -> String {
    let folder = "/tmp/mr-replace-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test func `a link is followed, and the mode stays`() throws {
    let folder = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (file, link) = ("\(folder)/file", "\(folder)/link")
    try "old".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(unsafe chmod(file, 0o604) == 0)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file")
    try FileReplacement.replace(link, with: Array("new".utf8))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "new")
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o604)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["file", "link"]
    )
  }

  @Test func `a full disk and a folder that takes no files leave the old contents`() async throws {
    let folder = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = "\(folder)/file"
    try "old".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(throws: FileReplacement.Fault.self) {
      try FileReplacement.replace("/proc/mixed.yaml", with: [1])
    }
    // The limit holds for the whole process, so the file is replaced in one of its own.
    await #expect(processExitsWith: .success) { [file = file as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100, rlim_max: rlim_t.max)
      #expect(unsafe setrlimit(__rlimit_resource_t(1), &limit) == 0)
      #expect(throws: FileReplacement.Fault.self) {
        try FileReplacement.replace(file, with: [UInt8](repeating: 65, count: 1_000))
      }
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
  }
}
