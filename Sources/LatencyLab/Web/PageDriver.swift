// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Synchronization
import SystemSupport

/// The script that uses a host's page in Chromium: it takes commands by line, and answers each with a line of JSON.
///
/// Belongs to the control thread.
final class PageDriver {
  /// Movements of a fader.
  struct Moves: Decodable {
    /// CLOCK_MONOTONIC just before each movement of the mouse.
    let nanoseconds: [UInt64]
  }

  /// The page while its meters run.
  struct Meters: Decodable {
    /// Binary frames of meters a second.
    let framesPerSecond: Double
    /// Share of one processor that the page's main thread took, 0…1.
    let mainThreadShare: Double
  }

  /// Changes by others, as the page has shown them.
  struct Changes: Decodable {
    /// The gains in dB that a fader has shown, in their order.
    let gainsDB: [Double]
    /// CLOCK_MONOTONIC at the picture that shows each.
    let nanoseconds: [UInt64]
  }

  /// The answer of a command that only acts.
  struct Done: Decodable {}

  private let child: ChildProcess
  private let commands: Int32
  private let answers: Answers

  /// The lines that the script has printed, from the child's thread.
  private final class Answers: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func next() -> String? { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
  }

  /// Starts Chromium; the page is there with the answer to the first command.
  ///
  /// - Parameters:
  ///   - script: The path of `scripts/lib/drive-page`.
  ///   - port: The port of the page.
  ///   - folder: The folder for its pipe.
  /// - Throws: ``LabError`` `tool`.
  init(_ script: String, port: Int, folder: String) throws(LabError) {
    let fifo = "\(folder)/commands"
    // Open for both directions: neither side waits for the other, and the file has no end.
    guard unsafe mkfifo(fifo, 0o600) == 0,
      case let descriptor = unsafe open(fifo, O_RDWR | O_CLOEXEC), descriptor >= 0
    else { throw LabError(.tool, "\(fifo): cannot be made") }
    let answers = Answers()
    do throws(SystemError) {
      child = try ChildProcess.start(
        script,
        ["http://localhost:\(port)"],
        bond: .bound,
        input: .descriptor(descriptor),
        output: .lines { answers.add($0) },
        errors: .text(limitInBytes: 1 << 16),
      )
    } catch {
      _ = Glibc.close(descriptor)
      throw LabError(.tool, "\(script): cannot be started (\(error.reason))")
    }
    commands = descriptor
    self.answers = answers
  }

  deinit { _ = Glibc.close(commands) }

  /// Carries out a command.
  ///
  /// - Parameters:
  ///   - command: The command with its number, such as `move 20`.
  ///   - type: The form of the answer.
  /// - Returns: The answer.
  /// - Throws: ``LabError`` `tool` where the script ends or answers something else, or `cancelled`.
  func ask<Answer: Decodable>(_ command: String, _ type: Answer.Type) async throws(LabError)
    -> Answer
  {
    let line = Array("\(command)\n".utf8)
    guard unsafe write(commands, line, line.count) == line.count else {
      throw LabError(.tool, "'\(command)' cannot be written to the page's script")
    }
    var patience = Self.patience
    while true {
      if let text = answers.next() {
        if let answer = try? JSONDecoder().decode(type, from: Data(text.utf8)) { return answer }
        throw LabError(.tool, "the page's script answers '\(command)' with \(text)")
      }
      patience -= 1
      guard child.isRunning, patience > 0 else {
        throw LabError(
          .tool,
          "the page's script has no answer to '\(command)': \(child.text(of: .errors))"
        )
      }
      try await LabError.sleep(Self.poll)
    }
  }

  /// Ends Chromium.
  func close() async { await child.end(within: Self.grace) }

  private static let poll = Duration.milliseconds(5)
  private static let grace = Duration.seconds(5)
  /// Two minutes: the first command also starts Chromium, and makes its tools the first time.
  private static let patience = 24_000
}
