// SPDX-License-Identifier: MIT

internal import ControlSocket
public import Foundation

extension AVAudioSession {
  /// The app's host, and the app's name and rules at that host.
  ///
  /// A value comes from its environment variable if that is set. Change ``AVAudioSession/hostSettings``
  /// before the first use of the session; later changes count from the next connection on.
  /// Pure value: [any-thread].
  public struct HostSettings: Sendable {
    /// Whether the library starts a host when none is running.
    public enum Start: String, Sendable {
      /// The library never starts a host; without one activation fails.
      case never
      /// At the first activation or the first audio.
      case ifNeeded
    }

    /// The host's treatment of the app in the simulated background (SYS-1, SYS-2).
    public enum Background: String, Sendable {
      /// Its audio continues, as with the background mode `audio`.
      case audio
      /// Its audio ends.
      case none
      /// Its audio ends, and its requests wait until it returns to the foreground.
      case suspend
    }

    /// The host's name, or the path of its socket; nil for the only host that is running (`MULTIROUTE_HOST`).
    public var host: String?
    /// Whether the library starts a host when none is running (`MULTIROUTE_START`).
    public var start: Start
    /// The path of the host's program (`MULTIROUTE_PROGRAM`); nil finds `multiroute` on `PATH`.
    public var program: String?
    /// The graph file of a host that the library starts (`MULTIROUTE_GRAPH`); nil for the server's first two outputs
    /// and inputs.
    public var graph: String?
    /// The app's name, under which the host keeps its permission and its class (`MULTIROUTE_APP`).
    public var app: String
    /// The requested priority class: `app`, `assistant`, `alarm` or `phone` (`MULTIROUTE_CLASS`, ACT-4).
    public var priorityClass: String
    /// The SDK version whose behaviour the session has (`MULTIROUTE_COMPATIBILITY`, SES-7): `latest`, or `ios7` to
    /// `ios27`.
    public var compatibility: String
    /// The host's treatment of the app in the background (`MULTIROUTE_BACKGROUND`); the default is `audio`.
    public var background: Background
    /// Whether the app's audio is background music, which falls silent by itself while another app's music plays
    /// (`MULTIROUTE_MUSIC=background`, SYS-6).
    public var isBackgroundMusic: Bool
    /// Whether hardware values that the app prefers while it is active take effect at once
    /// (`MULTIROUTE_PREFERENCES=atOnce` or `nextActivation`, HW-1); nil is the host's setting.
    ///
    /// The guide has them wait for the next activation. Today's devices apply them at once, and apps may rely on it.
    public var appliesPreferencesAtOnce: Bool?
    /// The longest time that a call waits for the host, in seconds (`MULTIROUTE_TIMEOUT`); 0.05 to 60, default 5.
    public var limitSeconds: Double {
      didSet { limitSeconds = min(max(limitSeconds, 0.05), 60) }
    }

    /// Makes the settings that environment variables give.
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
      isBackgroundMusic = environment["MULTIROUTE_MUSIC"] == "background"
      appliesPreferencesAtOnce =
        switch environment["MULTIROUTE_PREFERENCES"] {
        case "atOnce": true
        case "nextActivation": false
        default: nil
        }
      let seconds = environment["MULTIROUTE_TIMEOUT"].flatMap(Double.init) ?? 5
      limitSeconds = min(max(seconds, 0.05), 60)
    }

    /// The host that the app names.
    var address: HostAddress {
      switch host {
      case nil: .only
      case let host? where host.contains("/"): .path(host)
      case let host?: .name(host)
      }
    }

    /// The path of the host's socket now.
    ///
    /// - Throws: `noHost`, or `notTrusted` for a folder that other users could have filled.
    func socketPath() throws(HostFault) -> String {
      do throws(ControlClientError) {
        return try address.path()
      } catch {
        throw HostFault(error)
      }
    }
  }

  /// The app's host, and the app's name and rules at that host. [any-thread]
  public static var hostSettings: HostSettings {
    get { SessionController.shared.settings }
    set { SessionController.shared.settings = newValue }
  }
}
