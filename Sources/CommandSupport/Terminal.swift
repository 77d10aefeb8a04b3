// SPDX-License-Identifier: MIT

public import Console
import ControlProtocol
import Dispatch
import FoundationEssentials
import Glibc
public import Logging
import Synchronization

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

  /// The columns that text is to fit; nil where standard output is no terminal, so that scripts get whole lines.
  public static var columns: Int? { isInteractive ? style.columns : nil }

  /// Whether the locale shows characters beyond ASCII.
  private static let isUnicode = ScreenStyle.isUnicode(
    ProcessInfo.processInfo.environment,
    isTerminal: isInteractive,
  )

  /// Writes a line to standard output, and flushes it, so that a reader of a pipe sees it at once.
  ///
  /// Signs that a terminal would obey are spelled out (``ShownText``), line ends too. Beyond ASCII it has only what the
  /// locale shows.
  public static func say(_ line: String) { write(shown(line, isUnicode: isUnicode)) }

  /// Writes text of several lines to standard output.
  public static func say(lines text: String) { write(shown(lines: text, isUnicode: isUnicode)) }

  /// Writes a value as a line of JSON, which is UTF-8 in every locale, and has the true names.
  public static func say(json value: some Encodable) throws {
    write(ShownText.escaped(json: try JSONLine.text(value)))
  }

  /// Writes control codes and text that is clean, without a line end.
  public static func draw(_ text: String) { write(text, end: "") }

  private static let queue = Mutex<OutputQueue?>(nil)
  private static let errorQueue = Mutex<OutputQueue?>(nil)

  /// Lets a reader of one of the streams that stops, or goes, never stop the program: its output is left out then.
  ///
  /// Standard error, with the log, says how many lines are missing once it is read again.
  public static func waitsForNoReader() {
    signal(SIGPIPE, SIG_IGN)
    queue.withLock { $0 = OutputQueue(descriptor: STDOUT_FILENO) }
    errorQueue.withLock {
      $0 = OutputQueue(descriptor: STDERR_FILENO) { count in
        "warning: \(count) lines are missing here, because nobody read standard error\n"
      }
    }
  }

  /// Waits at most a second until each stream is read.
  public static func finish() {
    queue.withLock { $0 }?.finish(within: .seconds(1))
    errorQueue.withLock { $0 }?.finish(within: .seconds(1))
  }

  private static func write(_ text: String, end: String = "\n") {
    if let queue = queue.withLock({ $0 }) { return queue.put(text + end) }
    print(text, terminator: end)
    fflush(nil)
  }

  /// Writes a line to standard error, as ``say(_:)`` does to standard output.
  public static func complain(_ line: String) {
    drawError(shown(line, isUnicode: isUnicode) + "\n")
  }

  /// Writes text of several lines to standard error.
  public static func complain(lines text: String) {
    drawError(shown(lines: text, isUnicode: isUnicode) + "\n")
  }

  /// Writes control codes and text that is clean to standard error.
  public static func drawError(_ text: String) {
    if let queue = errorQueue.withLock({ $0 }) { return queue.put(text) }
    let bytes = Array(text.utf8)
    _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }

  /// A line as a terminal shows it.
  static func shown(_ line: String, isUnicode: Bool) -> String {
    let clean = ShownText.clean(line)
    return isUnicode ? clean : PlainText.ascii(clean)
  }

  /// The lines of a text as a terminal shows them.
  static func shown(lines text: String, isUnicode: Bool) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { shown(String($0), isUnicode: isUnicode) }.joined(separator: "\n")
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
      var handler = StreamLogHandler(label: label, stream: ErrorStream())
      handler.logLevel = label.hasPrefix("jack") && level > .debug ? .critical : level
      return CleanLogHandler(base: handler)
    }
  }
}

/// Standard error as the log writes to it. [any-thread]
private struct ErrorStream: TextOutputStream {
  func write(_ text: String) { Terminal.drawError(text) }
}

/// A log whose lines can be shown: names in messages and metadata are cleaned (``ShownText``). [any-thread]
struct CleanLogHandler<Base: LogHandler>: LogHandler {
  /// The log that the lines go to.
  var base: Base

  var logLevel: Logger.Level {
    get { base.logLevel }
    set { base.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    var event = event
    event.message = Logger.Message(stringLiteral: ShownText.clean("\(event.message)"))
    event.metadata = event.metadata?.mapValues { .string(ShownText.clean("\($0)")) }
    base.log(event: event)
  }
}
