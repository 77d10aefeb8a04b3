// SPDX-License-Identifier: MIT

import Logging
import Synchronization
import Testing

@testable import CommandSupport

/// Lines with names of other programs on a terminal and in the log.
struct TerminalTests {
  private static let name = "mpv\u{1B}]0;x\u{7}\nerror: \u{202E}Gerät"

  @Test func `a line stays one line, without escape sequences`() {
    #expect(
      Terminal.shown("heard: \(Self.name)", isUnicode: true)
        == "heard: mpv\\u{1B}]0;x\\u{7}\\nerror: \\u{202E}Gerät"
    )
    #expect(
      Terminal.shown(Self.name, isUnicode: false) == "mpv\\u{1B}]0;x\\u{7}\\nerror: \\u{202E}Ger?t"
    )
  }

  @Test func `text of several lines keeps them`() {
    #expect(Terminal.shown(lines: "a\u{1B}\n\nb\r", isUnicode: true) == "a\\u{1B}\n\nb\\r")
  }

  @Test func `log lines have names that are harmless`() {
    let recorder = LogRecorder()
    let logger = Logger(label: "test") { _ in CleanLogHandler(base: recorder) }
    logger.warning("client \(Self.name)", metadata: ["port": "\(Self.name)"])
    let shown = "mpv\\u{1B}]0;x\\u{7}\\nerror: \\u{202E}Gerät"
    #expect(recorder.lines == ["client \(shown) port=\(shown)"])
  }
}

/// Keeps the lines of a log.
private final class LogRecorder: LogHandler {
  private let stored = Mutex<[String]>([])
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }

  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  var lines: [String] { stored.withLock { $0 } }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    let metadata = (event.metadata ?? [:]).map { " \($0)=\($1)" }.sorted().joined()
    stored.withLock { $0.append("\(event.message)\(metadata)") }
  }
}
