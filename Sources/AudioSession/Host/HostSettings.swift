// SPDX-License-Identifier: MIT

internal import ControlSocket
public import Foundation

extension AVAudioSession {
  /// How the app finds its host, and what it is there.
  ///
  /// Each value comes from an environment variable where that is set. Change ``AVAudioSession/hostSettings``
  /// before the first use of the session; later changes count from the next connection on.
  public struct HostSettings: Sendable {
    /// Whether a host is started where there is none.
    public enum Start: String, Sendable {
      /// Never: activation fails then.
      case never
      /// At the first activation or audio, where no host runs.
      case ifNeeded
    }

    /// What becomes of the app in the background, which the host simulates (SYS-1, SYS-2).
    public enum Background: String, Sendable {
      /// It goes on, as with the background mode `audio`.
      case audio
      /// Its audio ends there.
      case none
      /// Its audio ends there, and what it asks for is done on its return.
      case suspend
    }

    /// The host's name, or the path of its socket; nil for the only one that runs (`MULTIROUTE_HOST`).
    public var host: String?
    /// Whether a host is started where there is none (`MULTIROUTE_START`).
    public var start: Start
    /// The program that is the host (`MULTIROUTE_PROGRAM`); nil looks for `multiroute` on `PATH`.
    public var program: String?
    /// The graph file of a host that is started (`MULTIROUTE_GRAPH`); nil for one with the server's outputs
    /// and inputs.
    public var graph: String?
    /// The name under which the host keeps permissions and classes (`MULTIROUTE_APP`).
    public var app: String
    /// The priority class asked for: `app`, `assistant`, `alarm` or `phone` (`MULTIROUTE_CLASS`, ACT-4).
    public var priorityClass: String
    /// Which SDK version the session behaves like (`MULTIROUTE_COMPATIBILITY`, SES-7): `latest`, or `ios7` to
    /// `ios27`.
    public var compatibility: String
    /// What becomes of the app in the background (`MULTIROUTE_BACKGROUND`); `audio` unless set.
    public var background: Background
    /// The longest that a call waits for the host, in seconds (`MULTIROUTE_TIMEOUT`); 0.05 to 60.
    public var limitSeconds: Double {
      didSet { limitSeconds = min(max(limitSeconds, 0.05), 60) }
    }

    /// The settings that the environment gives.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
      host = environment["MULTIROUTE_HOST"]
      start = environment["MULTIROUTE_START"].flatMap(Start.init(rawValue:)) ?? .ifNeeded
      program = environment["MULTIROUTE_PROGRAM"]
      graph = environment["MULTIROUTE_GRAPH"]
      app = environment["MULTIROUTE_APP"] ?? ProcessInfo.processInfo.processName
      priorityClass = environment["MULTIROUTE_CLASS"] ?? "app"
      compatibility = environment["MULTIROUTE_COMPATIBILITY"] ?? "latest"
      background =
        environment["MULTIROUTE_BACKGROUND"].flatMap(Background.init(rawValue:)) ?? .audio
      let seconds = environment["MULTIROUTE_TIMEOUT"].flatMap(Double.init) ?? 5
      limitSeconds = min(max(seconds, 0.05), 60)
    }

    /// Where the host's socket is now.
    func socketPath() throws(HostFault) -> String {
      let address: HostAddress =
        switch host {
        case nil: .only
        case let host? where host.contains("/"): .path(host)
        case let host?: .name(host)
        }
      do throws(ControlClientError) {
        return try address.path()
      } catch {
        throw .noHost(error.description)
      }
    }
  }

  /// How the app finds its host, and what it is there.
  /// [any-thread]
  public static var hostSettings: HostSettings {
    get { SessionController.shared.settings }
    set { SessionController.shared.settings = newValue }
  }
}
