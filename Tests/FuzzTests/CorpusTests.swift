// SPDX-License-Identifier: MIT

import Foundation
import FuzzTargets
import Testing

/// The inputs that the fuzzer has found, and the seeds that it began with, are read without a fault.
@Suite struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fuzz/Corpus").standardized

  @Test(arguments: FuzzTarget.allCases)
  func `kept inputs are read`(target: FuzzTarget) async throws {
    let folder = Self.folder.appending(path: target.rawValue)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.isEmpty, "Tests/Fuzz/Corpus/\(target.rawValue) has no seed")
    for name in names.sorted() {
      await target.read([UInt8](try Data(contentsOf: folder.appending(path: name))))?()
    }
  }

  @Test func `each folder of the corpus has a target`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(names) == Set(FuzzTarget.allCases.map(\.rawValue)))
  }
}
