// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Where a data source points.
  public struct Orientation: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; unknown ones are refused where they are used.
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
}
