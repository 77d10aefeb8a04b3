// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The compiler must refuse audio code that locks or allocates; these snippets show that it does.
@Suite("Planted violations")
struct PlantedViolationTests {
  @Test("a lock on the audio thread does not compile")
  func lock() async throws {
    let output = try await diagnostics(
      """
      import Synchronization
      let mutex = Mutex(0)
      @_noLocks @_noAllocation func process() { mutex.withLock { $0 += 1 } }
      """
    )
    #expect(output.contains("error:"))
    #expect(output.contains("lock") || output.contains("unpredictable performance"))
  }

  @Test("an allocation on the audio thread does not compile")
  func allocation() async throws {
    let output = try await diagnostics(
      """
      final class State {}
      @_noLocks @_noAllocation func process() -> AnyObject { State() }
      """
    )
    #expect(output.contains("error:"))
    #expect(output.contains("allocat"))
  }

  @Test("the same without the fault compiles")
  func clean() async throws {
    let output = try await diagnostics(
      """
      @_noLocks @_noAllocation func process(_ gain: Float) -> Float { gain * 2 }
      """
    )
    #expect(output == "")
  }

  /// The compiler's diagnostics of a source text.
  private func diagnostics(_ source: String) async throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("planted-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("planted.swift")
    try Data(source.utf8).write(to: file)
    let end = try await runProgram(
      "swiftc",
      ["-emit-sil", "-o", "/dev/null", "-parse-as-library", file.path],
    )
    return end.output + end.errors
  }
}
