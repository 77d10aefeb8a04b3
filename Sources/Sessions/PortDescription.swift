// SPDX-License-Identifier: MIT

/// One port of a route: what the SDK's `AVAudioSessionPortDescription` says (rule RTE-1).
public struct PortDescription: Hashable, Codable, Sendable {
  /// Which way audio goes.
  public enum Direction: String, Codable, Sendable {
    /// From the hardware.
    case input
    /// To the hardware.
    case output
  }

  /// The unique id: stable over restarts, different for the two directions of one device.
  public var uid: String
  /// The name people read.
  public var name: String
  /// What kind of port it is.
  public var type: PortType
  /// Which way audio goes.
  public var direction: Direction
  /// The channels, in order.
  public var channelNames: [String]
  /// What the port can be switched to; empty where there is no choice.
  public var dataSources: [DataSourceDescription]
  /// The `id` of the data source in use.
  public var selectedDataSource: Int?
  /// The device this port belongs to, where several ports belong to one.
  public var deviceUID: String?
  /// Whether the device cancels echoes by itself.
  public var hasHardwareVoiceCallProcessing: Bool

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - uid: The unique id.
  ///   - name: The name people read; nil takes the uid.
  ///   - type: What kind of port it is.
  ///   - direction: Which way audio goes.
  ///   - channelNames: The channels, in order.
  ///   - dataSources: What the port can be switched to.
  ///   - selectedDataSource: The `id` of the data source in use.
  ///   - deviceUID: The device this port belongs to.
  ///   - hasHardwareVoiceCallProcessing: Whether the device cancels echoes by itself.
  public init(
    uid: String,
    name: String? = nil,
    type: PortType,
    direction: Direction,
    channelNames: [String] = ["left", "right"],
    dataSources: [DataSourceDescription] = [],
    selectedDataSource: Int? = nil,
    deviceUID: String? = nil,
    hasHardwareVoiceCallProcessing: Bool = false,
  ) {
    self.uid = uid
    self.name = name ?? uid
    self.type = type
    self.direction = direction
    self.channelNames = channelNames
    self.dataSources = dataSources
    self.selectedDataSource = selectedDataSource
    self.deviceUID = deviceUID
    self.hasHardwareVoiceCallProcessing = hasHardwareVoiceCallProcessing
  }
}
