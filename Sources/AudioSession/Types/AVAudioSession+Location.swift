// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Where a data source is on its device.
  public struct Location: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; unknown ones are refused where they are used.
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
}
