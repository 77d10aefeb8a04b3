// SPDX-License-Identifier: MIT

internal import Glibc
internal import Sessions

/// Appends every event of the control tower to a file, so that a run can be replayed.
///
/// Each event is written at once, before the host acts on it. However the process dies, at most the last line
/// is incomplete. Belongs to the control thread.
final class EventLogWriter {
  /// The fault of a log, in words.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private let path: String
  private var file: Int32
  private let complain: @Sendable (String) -> Void

  /// Begins a log; an existing log is kept beside it as `PATH.old`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - start: The state before the first event.
  ///   - complain: Receives the reason when the log cannot be continued.
  /// - Throws: ``Fault`` if the file cannot be made.
  init(
    path: String,
    start: TowerState,
    complain: @escaping @Sendable (String) -> Void,
  ) throws(Fault) {
    self.path = path
    self.complain = complain
    // A failure means that there was no log, or it shows below.
    _ = unsafe rename(path, path + ".old")
    file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw Fault(description: "\(path): \(unsafe String(cString: strerror(errno)))")
    }
    do {
      append(try EventLog(start: start).header())
    } catch {
      throw Fault(description: "\(path): \(error)")
    }
  }

  deinit { if file >= 0 { close(file) } }

  /// Appends an event.
  func append(_ event: TowerEvent) {
    guard file >= 0 else { return }
    do {
      append(try EventLog.line(event))
    } catch {
      end("\(error)")
    }
  }

  private func append(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    let count = unsafe write(file, bytes, bytes.count)
    // A log with a gap would replay to a state that never existed.
    if count != bytes.count {
      end(count < 0 ? unsafe String(cString: strerror(errno)) : "no room")
    }
  }

  private func end(_ reason: String) {
    close(file)
    file = -1
    complain("the event log \(path) ends here: \(reason)")
  }
}
