// SPDX-License-Identifier: MIT

internal import Glibc

/// The exit of a process.
///
/// Pure value: [any-thread].
public struct ProcessExit: Sendable, Hashable {
  /// The process id it had.
  public let pid: Int32
  /// Its exit status; nil when a signal ended it, or another part of this process reaped it.
  public let status: Int32?
  /// The signal that ended it; nil when it exited.
  public let signal: Int32?
  /// Its last output, where that was read by line.
  public let lastLines: [String]

  /// Makes the value from its parts.
  package init(pid: Int32, status: Int32?, signal: Int32?, lastLines: [String] = []) {
    self.pid = pid
    self.status = status
    self.signal = signal
    self.lastLines = lastLines
  }

  /// Makes the value from the report of wait(2); nil without one.
  init(pid: Int32, waitStatus: Int32?, lastLines: [String]) {
    let signal = (waitStatus ?? 0) & 0x7f
    self.init(
      pid: pid,
      status: waitStatus.flatMap { signal == 0 ? ($0 >> 8) & 0xff : nil },
      signal: signal == 0 ? nil : signal,
      lastLines: lastLines,
    )
  }

  /// The code that a shell would give: the status, or 128 and the signal.
  package var shellCode: Int32 { status ?? 128 + (signal ?? 0) }
}

/// Refusal of a call to the system.
///
/// Pure value: [any-thread].
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The errno value.
  package let code: Int32
  /// The file, program or object of the call.
  package let subject: String

  package init(_ code: Int32, _ subject: String) {
    self.code = code
    self.subject = subject
  }

  /// The system's text for the error.
  package var reason: String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  /// Subject and reason.
  package var description: String { "\(subject): \(reason)" }
}
