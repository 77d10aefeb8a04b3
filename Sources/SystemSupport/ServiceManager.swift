// SPDX-License-Identifier: MIT

internal import CSystemSupport

/// The service manager that has started this process, such as systemd; nobody is told where there is none.
///
/// [any-thread]
public enum ServiceManager {
  /// The news of this process.
  public enum State: Sendable {
    /// It does its work.
    case ready
    /// It reads its files again; ``ready`` follows.
    case reloading
    /// It is about to end.
    case stopping
  }

  /// Tells the manager; a fault of its socket is its own, and nobody else would hear of it.
  public static func tell(_ state: State) {
    let text =
      switch state {
      case .ready: "READY=1"
      case .reloading: "RELOADING=1"
      case .stopping: "STOPPING=1"
      }
    _ = unsafe sd_notify(0, text)
  }
}
