// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JACK
import SystemSupport
import TestSupport

/// A program that runs beside the test; it is ended and reaped when its owner lets it go.
final class Child: Sendable {
  /// How a program ended.
  enum End: Equatable {
    /// It returned this code.
    case code(Int32)
    /// This signal ended it.
    case signal(Int32)
  }

  let name: String
  private let folder: String
  private let process: ChildProcess

  /// Starts a program in a session and process group of its own.
  ///
  /// - Parameters:
  ///   - program: Its path, or its name on `$PATH`.
  ///   - arguments: Its arguments, without itself.
  ///   - environment: Changes to the environment of the test.
  ///   - scratch: Where its output is kept.
  /// - Throws: ``TestFailure`` when it cannot be started.
  init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = [:],
    in scratch: Scratch,
  ) throws {
    name = program.split(separator: "/").last.map(String.init) ?? program
    folder = try scratch.makeFolder("\(name)-output")
    do {
      process = try ChildProcess.start(
        program,
        arguments,
        environment: environment,
        bond: .bound,
        output: .file("\(folder)/stdout"),
        errors: .file("\(folder)/stderr"),
      )
    } catch {
      throw TestFailure("\(program) cannot be started: \(error.reason)")
    }
  }

  deinit {
    process.send(SIGTERM)
    guard !process.waitForExit(within: .seconds(3)) else { return }
    process.send(SIGKILL)
    _ = process.waitForExit(within: .seconds(3))
  }

  var pid: pid_t { process.pid }

  /// How it ended; nil while it runs.
  var end: End? {
    guard let exit = process.exit else { return nil }
    return exit.signal.map { .signal($0) } ?? .code(exit.status ?? -1)
  }

  /// Waits until it has ended.
  func waitForEnd(within limit: Duration = .seconds(60)) async throws -> End {
    guard await process.exit(within: limit) != nil, let end else {
      throw TestFailure("\(name) did not end within \(limit)\n\(standardError)")
    }
    return end
  }

  /// Sends a signal to it, or to all of its group, unless it has ended; SIGKILL where it is outside of JACK's store of
  /// metadata, in which its locks would stay and the server would wait for them.
  func send(_ signal: Int32, toGroup: Bool = false) {
    guard process.isRunning else { return }
    if toGroup {
      kill(-pid, signal)
    } else if signal == SIGKILL {
      killOutsideStore(pid)
    } else {
      process.send(signal)
    }
  }

  /// Stops it with SIGSTOP, and waits until each of its threads stands still: on a busy machine some run on for a while.
  func standStill() async throws {
    send(SIGSTOP)
    try await waitUntil("\(name) stands still") { Machine.this.standsStill(pid) }
  }

  /// Its standard output so far.
  var standardOutput: String { text(of: "stdout") }
  /// Its standard error so far.
  var standardError: String { text(of: "stderr") }

  /// The last 16 KiB of its standard output; the first line may be cut.
  var lastOutput: String {
    guard let file = FileHandle(forReadingAtPath: "\(folder)/stdout") else { return "" }
    defer { try? file.close() }
    let length = (try? file.seekToEnd()) ?? 0
    try? file.seek(toOffset: length > 16_384 ? length - 16_384 : 0)
    return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
  }

  private func text(of file: String) -> String {
    let data = FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}

/// Kills a program at any moment but those in which it uses JACK's store of metadata.
///
/// Its locks in there would stay, and the server and each other program would wait for them for ever (docs/nodes.md, "The store
/// of metadata"). Only MultiRoute's programs say when they are there; others are killed at once.
func killOutsideStore(_ pid: pid_t) {
  MetadataMark.killOutside(pid, limitMilliseconds: 20_000)
}
