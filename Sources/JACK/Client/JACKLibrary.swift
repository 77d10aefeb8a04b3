// SPDX-License-Identifier: MIT

internal import CJACK
public import Logging
internal import Synchronization
internal import SystemSupport

/// The libjack that this process uses.
public enum JACKLibrary {
  /// Its version, such as `1.9.21`. [any-thread]
  public static var version: String {
    unsafe ClientConnection.string(jack_get_version_string())
  }

  /// Whether it is PipeWire's.
  ///
  /// Its version string says so; older ones are known by where the library lies. A process keeps its library, so this is
  /// found out once. [any-thread]
  public static let isPipeWire =
    version.contains("PipeWire")
    || Machine.this.lines("/proc/self/maps").contains {
      $0.contains("pipewire") && $0.contains("/libjack.so")
    }

  /// Rule for client names that a name violates; nil for an allowed name. [any-thread]
  public static func fault(inClientName name: String) -> String? {
    // The size counts the final zero, and jackd takes one byte less than it says.
    let longest = Int(jack_client_name_size()) - 2
    guard name.isEmpty || name.utf8.count > longest || name.contains(":") else { return nil }
    return "a client name has 1 to \(longest) bytes and no colon"
  }
}

/// Destination of libjack's own messages.
///
/// libjack writes many lines also when all is well. The program gets typed errors and notifications; these lines help
/// to find the reason of a fault.
///
/// Safe from any thread: [any-thread].
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

  /// Tells of an error on which nothing depends, such as that of a port that could not be taken away.
  ///
  /// The error of a server that has just gone is not told: everything has gone with it. [any-thread]
  public static func note(_ error: JACKError) {
    guard error.code != .serverGone, error.code != .closed else { return }
    logger.withLock { $0 }?.warning("\(error)")
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
