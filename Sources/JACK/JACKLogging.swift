// SPDX-License-Identifier: MIT

internal import CJACK
public import Logging
internal import Synchronization

/// Where libjack's own messages go.
///
/// libjack says much, also when all is well. What matters to the program comes as typed errors and
/// notifications; these lines are for whoever looks for the reason.
public enum JACKLogging {
  private static let logger = Mutex<Logger?>(nil)

  /// Sends libjack's messages, of all clients of this process, to `logger`: its errors as
  /// warnings, the rest as debug lines.
  ///
  /// Until then they go to a logger labelled `jack`. May be called again. [any-thread]
  public static func install(_ logger: Logger) {
    Self.logger.withLock { $0 = logger }
    unsafe jack_set_error_function(onJACKError)
    unsafe jack_set_info_function(onJACKInfo)
  }

  /// Unless a logger is set.
  static func installDefault() {
    if logger.withLock({ $0 == nil }) {
      install(Logger(label: "jack"))
    }
  }

  fileprivate static func log(_ level: Logger.Level, _ line: UnsafePointer<CChar>?) {
    guard let line = unsafe line else { return }
    Cancellation.disabled {
      let text = unsafe String(cString: line)
      logger.withLock { $0 }?.log(level: level, "\(text)", source: "libjack")
    }
  }
}

@c(multiroute_jack_error)
private func onJACKError(_ line: UnsafePointer<CChar>?) {
  unsafe JACKLogging.log(.warning, line)
}

@c(multiroute_jack_info)
private func onJACKInfo(_ line: UnsafePointer<CChar>?) {
  unsafe JACKLogging.log(.debug, line)
}
