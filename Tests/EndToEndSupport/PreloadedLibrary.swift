// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// Libraries that the tests load into programs (LD_PRELOAD).
enum PreloadedLibrary {
  /// Compiles one.
  ///
  /// - Parameters:
  ///   - source: The path of its C file in the repository.
  ///   - scratch: Where it goes.
  /// - Returns: The path of the library.
  /// - Throws: The reason why the compiler cannot be started.
  static func compile(_ source: String, in scratch: Scratch) async throws -> String {
    let library = scratch.path + "/preloaded.so"
    let compiler = try Child(
      "/bin/sh",
      [
        "-c", #"exec "$(dirname "$(readlink -f "$(command -v swift)")")/clang" "$@""#, "clang",
        "-shared", "-fPIC", "-o", library, Repository.path(source),
      ],
      in: scratch,
    )
    #expect(try await compiler.waitForEnd() == .code(0), "\(compiler.standardError)")
    return library
  }
}
