// SPDX-License-Identifier: MIT

/// One of several sources that a port can be switched to.
public struct DataSourceDetail: Codable, Sendable, Hashable {
  /// The number, unique within its port.
  public var id: Int
  /// The name people read.
  public var name: String
  /// Where it is: `Upper` or `Lower`.
  @OrNull public var location: String?
  /// Where it points: `Top`, `Bottom`, `Front`, `Back`, `Left` or `Right`.
  @OrNull public var orientation: String?
  /// The polar patterns that it has.
  public var polarPatterns: [String]
  /// The polar pattern in use.
  @OrNull public var selectedPolarPattern: String?

  /// Makes the value from its parts.
  public init(
    id: Int,
    name: String,
    location: String?,
    orientation: String?,
    polarPatterns: [String],
    selectedPolarPattern: String?,
  ) {
    self.id = id
    self.name = name
    self.location = location
    self.orientation = orientation
    self.polarPatterns = polarPatterns
    self.selectedPolarPattern = selectedPolarPattern
  }
}
