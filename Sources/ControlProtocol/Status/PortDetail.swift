// SPDX-License-Identifier: MIT

/// One port of a route.
public struct PortDetail: Codable, Sendable, Hashable {
  /// The unique id: the route's name in the graph.
  public var uid: String
  /// The name people read.
  public var name: String
  /// The SDK's port type, for instance `Headphones`.
  public var type: String
  /// The names of its channels, in order.
  public var channels: [String]
  /// The JACK ports that an input comes from; empty for outputs, which go through the host.
  public var jackPorts: [String]
  /// What it can be switched to.
  public var dataSources: [DataSourceDetail]
  /// The number of the data source in use.
  @OrNull public var selectedDataSource: Int?
  /// Whether the device cancels echoes by itself.
  public var hasHardwareVoiceCallProcessing: Bool

  /// Makes the value from its parts.
  public init(
    uid: String,
    name: String,
    type: String,
    channels: [String],
    jackPorts: [String],
    dataSources: [DataSourceDetail],
    selectedDataSource: Int?,
    hasHardwareVoiceCallProcessing: Bool,
  ) {
    self.uid = uid
    self.name = name
    self.type = type
    self.channels = channels
    self.jackPorts = jackPorts
    self.dataSources = dataSources
    self.selectedDataSource = selectedDataSource
    self.hasHardwareVoiceCallProcessing = hasHardwareVoiceCallProcessing
  }
}
