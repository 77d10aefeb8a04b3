// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import Foundation

/// One of several data sources of a port, such as a front microphone.
///
/// Immutable: [any-thread].
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
  private let detail: DataSourceDetail
  private let portUID: String

  /// Makes an empty description, for test doubles.
  public override init() {
    detail = DataSourceDetail(
      id: 0,
      name: "",
      location: nil,
      orientation: nil,
      polarPatterns: [],
      selectedPolarPattern: nil,
    )
    portUID = ""
  }

  init(_ detail: DataSourceDetail, portUID: String) {
    self.detail = detail
    self.portUID = portUID
  }

  /// The data source's number, unique within its port.
  open var dataSourceID: NSNumber { NSNumber(value: detail.id) }

  /// The name people read.
  open var dataSourceName: String { detail.name }

  /// The location on the device; nil if unknown.
  open var location: AVAudioSession.Location? {
    detail.location.map(AVAudioSession.Location.init(rawValue:))
  }

  /// The orientation; nil if unknown.
  open var orientation: AVAudioSession.Orientation? {
    detail.orientation.map(AVAudioSession.Orientation.init(rawValue:))
  }

  /// The polar patterns; nil without a choice.
  open var supportedPolarPatterns: [AVAudioSession.PolarPattern]? {
    detail.polarPatterns.isEmpty
      ? nil : detail.polarPatterns.map(AVAudioSession.PolarPattern.init(rawValue:))
  }

  /// The selected polar pattern; nil without a choice.
  open var selectedPolarPattern: AVAudioSession.PolarPattern? {
    detail.selectedPolarPattern.map(AVAudioSession.PolarPattern.init(rawValue:))
  }

  /// The polar pattern that this app prefers; nil without a preference.
  open var preferredPolarPattern: AVAudioSession.PolarPattern? {
    SessionController.shared.preferredPolarPattern(ofSource: detail.id, port: portUID)
      .map(AVAudioSession.PolarPattern.init(rawValue:))
  }

  /// Prefers one of `supportedPolarPatterns`; nil withdraws the preference (RTE-5).
  ///
  /// - Throws: `resourceNotAvailable` for a pattern that the source does not have.
  /// [control-thread]
  open func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
    if let pattern, !detail.polarPatterns.contains(pattern.rawValue) {
      throw NSError.session(
        .resourceNotAvailable,
        "data source '\(detail.name)' has no polar pattern \(pattern.rawValue)",
        offending: pattern.rawValue,
        allowed: detail.polarPatterns,
        rule: "RTE-5",
      )
    }
    try SessionController.shared.setPreferredPolarPattern(
      pattern?.rawValue,
      ofSource: detail.id,
      port: portUID,
    )
  }

  /// Number and name.
  open override var description: String {
    "<AVAudioSessionDataSourceDescription ID = \(detail.id); name = \(detail.name)>"
  }

  /// Whether the other describes the same source.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionDataSourceDescription else { return false }
    return detail.id == other.detail.id && portUID == other.portUID
  }

  /// Equal for descriptions of the same source.
  open override var hash: Int { detail.id ^ portUID.hashValue }
}

extension AVAudioSession {
  /// The location of a data source on its device.
  ///
  /// Pure value: [any-thread].
  public struct Location: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; calls that take it refuse unknown strings.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// At the upper end.
    public static let upper = Location(rawValue: "Upper")
    /// At the lower end.
    public static let lower = Location(rawValue: "Lower")
    /// Old name of `Orientation.top`.
    @available(*, deprecated, message: "use Orientation.top")
    public static let orientationTop = Location(rawValue: "Top")
    /// Old name of `Orientation.bottom`.
    @available(*, deprecated, message: "use Orientation.bottom")
    public static let orientationBottom = Location(rawValue: "Bottom")
    /// Old name of `Orientation.front`.
    @available(*, deprecated, message: "use Orientation.front")
    public static let orientationFront = Location(rawValue: "Front")
    /// Old name of `Orientation.back`.
    @available(*, deprecated, message: "use Orientation.back")
    public static let orientationBack = Location(rawValue: "Back")
    /// Old name of `Orientation.left`.
    @available(*, deprecated, message: "use Orientation.left")
    public static let orientationLeft = Location(rawValue: "Left")
    /// Old name of `Orientation.right`.
    @available(*, deprecated, message: "use Orientation.right")
    public static let orientationRight = Location(rawValue: "Right")
    /// Old name of `PolarPattern.cardioid`.
    @available(*, deprecated, message: "use PolarPattern.cardioid")
    public static let polarPatternCardioid = Location(rawValue: "Cardioid")
    /// Old name of `PolarPattern.omnidirectional`.
    @available(*, deprecated, message: "use PolarPattern.omnidirectional")
    public static let polarPatternOmnidirectional = Location(rawValue: "Omnidirectional")
    /// Old name of `PolarPattern.subcardioid`.
    @available(*, deprecated, message: "use PolarPattern.subcardioid")
    public static let polarPatternSubcardioid = Location(rawValue: "Subcardioid")
  }

  /// The direction to which a data source points.
  ///
  /// Pure value: [any-thread].
  public struct Orientation: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; calls that take it refuse unknown strings.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// To the top.
    public static let top = Orientation(rawValue: "Top")
    /// To the bottom.
    public static let bottom = Orientation(rawValue: "Bottom")
    /// To the front of the device.
    public static let front = Orientation(rawValue: "Front")
    /// To the back of the device.
    public static let back = Orientation(rawValue: "Back")
    /// To the left.
    public static let left = Orientation(rawValue: "Left")
    /// To the right.
    public static let right = Orientation(rawValue: "Right")
  }

  /// The directions from which a microphone picks up sound.
  ///
  /// Pure value: [any-thread].
  public struct PolarPattern: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; calls that take it refuse unknown strings.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Equally from all directions.
    public static let omnidirectional = PolarPattern(rawValue: "Omnidirectional")
    /// Mostly from the front, not from behind.
    public static let cardioid = PolarPattern(rawValue: "Cardioid")
    /// Slightly more from the front.
    public static let subcardioid = PolarPattern(rawValue: "Subcardioid")
    /// Left and right as separate channels; needs `setPreferredInputOrientation`.
    public static let stereo = PolarPattern(rawValue: "Stereo")
  }
}
