// SPDX-License-Identifier: MIT

/// The SDK version whose behaviour a session has, where versions differ (rule SES-7).
///
/// Pure value: [any-thread].
public struct Compatibility: Hashable, Codable, Sendable {
  /// The treatment of a request to set an option that the category always has.
  public enum ImplicitOptions: String, Codable, Sendable {
    /// Setting it is an error, as in the newest SDK.
    case refused
    /// The request is accepted without effect, as in older SDKs.
    case ignored
  }

  /// The SDK's major version, 7…27.
  public let majorVersion: Int

  /// The treatment of a request to set an option that the category always has.
  public let implicitOptions: ImplicitOptions

  /// Makes a compatibility setting.
  ///
  /// - Parameters:
  ///   - majorVersion: The SDK's major version; values outside 7…27 are clamped.
  ///   - implicitOptions: nil takes that version's own: refused from 26 on.
  public init(majorVersion: Int, implicitOptions: ImplicitOptions? = nil) {
    self.majorVersion = min(max(majorVersion, 7), 27)
    self.implicitOptions = implicitOptions ?? (self.majorVersion >= 26 ? .refused : .ignored)
  }

  /// The newest behaviour: the default.
  public static let latest = Compatibility(majorVersion: 27)

  /// The behaviour of version 17: implicit options are ignored, deactivating busy I/O fails.
  public static let ios17 = Compatibility(majorVersion: 17)

  /// Accepts implicit options, for combinations that were checked before.
  static let lenient = Compatibility(majorVersion: 27, implicitOptions: .ignored)

  /// Parses the name graph files use: `latest` or `ios7` … `ios27`.
  ///
  /// - Parameter name: The name; case matters.
  public init?(name: String) {
    if name == "latest" {
      self = .latest
      return
    }
    guard name.hasPrefix("ios"), let version = Int(name.dropFirst(3)), 7...27 ~= version else {
      return nil
    }
    self.init(majorVersion: version)
  }

  /// Whether the loss of its route interrupts the app that is now playing (rule RTE-3).
  var interruptsOnRouteDisconnect: Bool { majorVersion >= 17 }

  /// The effect of `setActive(false)` while I/O runs (rule ACT-5).
  enum BusyDeactivation {
    /// I/O stops, the session is inactive, no error.
    case succeeds
    /// I/O stops and the session becomes inactive, but the call fails with `isBusy`.
    case deactivatesAndFails
    /// The call fails with `isBusy` and the session stays active.
    case fails
  }

  var busyDeactivation: BusyDeactivation {
    switch majorVersion {
    case 26...: .succeeds
    case 8..<26: .deactivatesAndFails
    default: .fails
    }
  }
}

extension Compatibility: WireNamed {
  /// `latest`, or `ios7` to `ios27`.
  public static let allowed = "latest, or ios7 to ios27"

  /// `latest`, or `ios` and the SDK's major version.
  public var name: String {
    majorVersion == Compatibility.latest.majorVersion ? "latest" : "ios\(majorVersion)"
  }
}
