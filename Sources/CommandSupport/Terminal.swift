// SPDX-License-Identifier: MIT

public import Console
import ControlProtocol
import FoundationEssentials
import Glibc
public import Logging

/// The two output streams of a command.
///
/// Each function is a system call or two: [any-thread].
public enum Terminal {
  /// Whether standard output is a terminal.
  public static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The terminal as it is now; 80 columns and 24 rows when its size is unknown.
  public static var style: ScreenStyle {
    var size = winsize()
    let isKnown =
      unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      && size.ws_row > 0
    return ScreenStyle(
      columns: isKnown ? Int(size.ws_col) : 80,
      rows: isKnown ? Int(size.ws_row) : 24,
      isUnicode: isUnicode,
      hasColor: ScreenStyle.hasColor(
        ProcessInfo.processInfo.environment,
        isTerminal: isInteractive,
      ),
    )
  }

  /// Whether the locale shows characters beyond ASCII.
  private static let isUnicode = ScreenStyle.isUnicode(
    ProcessInfo.processInfo.environment,
    isTerminal: isInteractive,
  )

  /// Writes a line to standard output, in ASCII where the locale is, and flushes it, so that a reader of a pipe sees it at
  /// once.
  public static func say(_ line: String) { write(isUnicode ? line : PlainText.ascii(line)) }

  /// Writes a value as a line of JSON, which is UTF-8 in every locale.
  public static func say(json value: some Encodable) throws {
    write(try JSONLine.text(value))
  }

  /// Writes control codes and what belongs to them, without a line end.
  public static func draw(_ text: String) { write(text, end: "") }

  private static func write(_ text: String, end: String = "\n") {
    print(text, terminator: end)
    fflush(nil)
  }

  /// Writes a line to standard error.
  public static func complain(_ line: String, end: String = "\n") {
    let text = isUnicode ? line : PlainText.ascii(line)
    let bytes = Array((text + end).utf8)
    _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}

/// A value as one line of JSON. [any-thread]
public enum JSONLine {
  /// The line without its end; silence in dB is the string "-inf", as on the control socket.
  public static func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONCoding.encoder().encode(value), as: UTF8.self)
  }
}

/// Log lines of a command, which go to standard error. [any-thread]
public enum Log {
  /// Begins to log; call it once, at the start of a command.
  ///
  /// Labels that begin with `jack` (libjack, jackd) are logged from level `debug` on only, because they log a lot.
  public static func begin(at level: Logger.Level) {
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = label.hasPrefix("jack") && level > .debug ? .critical : level
      return handler
    }
  }
}
