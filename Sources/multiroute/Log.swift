// SPDX-License-Identifier: MIT

import Logging

/// Where log lines go: standard error.
enum Log {
  /// Begins to log; once, at the start of a command.
  ///
  /// libjack and jackd talk a lot; they are heard only from level `debug` on.
  static func begin(at level: Logger.Level) {
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = label.hasPrefix("jack") && level > .debug ? .critical : level
      return handler
    }
  }
}
