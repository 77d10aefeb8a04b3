// SPDX-License-Identifier: MIT

/// One of several sources or sinks a port can be switched to, such as a front microphone.
public struct DataSourceDescription: Hashable, Codable, Sendable {
  /// The number, unique within its port.
  public var id: Int
  /// The name people read.
  public var name: String
  /// Where it is: `Upper` or `Lower`, nil when unknown.
  public var location: String?
  /// Where it points: `Top`, `Bottom`, `Front`, `Back`, `Left`, `Right`, nil when unknown.
  public var orientation: String?
  /// Supported polar patterns: `Omnidirectional`, `Cardioid`, `Subcardioid`, `Stereo`.
  public var polarPatterns: [String]
  /// The polar pattern in use, nil where there is no choice.
  public var selectedPolarPattern: String?

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - id: The number, unique within its port.
  ///   - name: The name people read.
  ///   - location: Where it is.
  ///   - orientation: Where it points.
  ///   - polarPatterns: Supported polar patterns.
  ///   - selectedPolarPattern: The polar pattern in use.
  public init(
    id: Int,
    name: String,
    location: String? = nil,
    orientation: String? = nil,
    polarPatterns: [String] = [],
    selectedPolarPattern: String? = nil,
  ) {
    self.id = id
    self.name = name
    self.location = location
    self.orientation = orientation
    self.polarPatterns = polarPatterns
    self.selectedPolarPattern = selectedPolarPattern
  }
}
