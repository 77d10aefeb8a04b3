// SPDX-License-Identifier: MIT

public import Sessions

/// The inputs and outputs of a session (RTE-1).
///
/// Pure value: [any-thread].
public struct RouteDetail: Codable, Sendable, Hashable {
  /// The inputs in use: at most one (CAT-3).
  public var inputs: [PortDetail]
  /// The outputs in use, in order of connection.
  public var outputs: [PortDetail]

  /// Makes the value from its parts.
  public init(inputs: [PortDetail], outputs: [PortDetail]) {
    self.inputs = inputs
    self.outputs = outputs
  }
}

/// One port of a route.
///
/// Pure value: [any-thread].
public struct PortDetail: Codable, Sendable, Hashable {
  /// The unique id: the route's name in the graph.
  public var uid: String
  /// The name people read.
  public var name: String
  /// The SDK's string for the port type, for instance `Headphones`; the SDK has an open set of them.
  public var typeName: String
  /// The names of its channels, in order.
  public var channels: [String]
  /// The JACK ports that an input comes from; empty for outputs, which go through the host.
  public var jackPorts: [String]
  /// The data sources that it can be switched to.
  public var dataSources: [DataSourceDetail]
  /// The number of the data source in use.
  @OrNull public var selectedDataSource: Int?
  /// Whether the device cancels echoes by itself.
  public var hasHardwareVoiceCallProcessing: Bool

  /// The port type; nil for one that this version does not know.
  public var type: PortType? { PortType(rawValue: typeName) }

  private enum CodingKeys: String, CodingKey {
    case uid, name
    case typeName = "type"
    case channels, jackPorts, dataSources, selectedDataSource, hasHardwareVoiceCallProcessing
  }

  /// Makes the value from its parts.
  public init(
    uid: String,
    name: String,
    type: PortType,
    channels: [String],
    jackPorts: [String],
    dataSources: [DataSourceDetail],
    selectedDataSource: Int?,
    hasHardwareVoiceCallProcessing: Bool,
  ) {
    self.uid = uid
    self.name = name
    typeName = type.rawValue
    self.channels = channels
    self.jackPorts = jackPorts
    self.dataSources = dataSources
    self.selectedDataSource = selectedDataSource
    self.hasHardwareVoiceCallProcessing = hasHardwareVoiceCallProcessing
  }
}

/// One of several sources that a port can be switched to.
///
/// Pure value: [any-thread].
public struct DataSourceDetail: Codable, Sendable, Hashable {
  /// The number, unique within its port.
  public var id: Int
  /// The name people read.
  public var name: String
  /// The place of the microphone: `Upper` or `Lower`.
  @OrNull public var location: String?
  /// The direction of the microphone: `Top`, `Bottom`, `Front`, `Back`, `Left` or `Right`.
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
