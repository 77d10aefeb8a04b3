// SPDX-License-Identifier: MIT

/// One port of a route, with the facts of the SDK's `AVAudioSessionPortDescription` (rule RTE-1).
///
/// Pure value: [any-thread].
public struct PortDescription: Hashable, Codable, Sendable {
  /// The direction of the audio.
  public enum Direction: String, Codable, Sendable {
    /// From the hardware.
    case input
    /// To the hardware.
    case output
  }

  /// The unique id: stable over restarts, different for the two directions of one device.
  public var uid: String
  /// The name for people.
  public var name: String
  /// The kind of port.
  public var type: PortType
  /// The direction of the audio.
  public var direction: Direction
  /// The channels, in order.
  public var channelNames: [String]
  /// The data sources of the port; empty where there is no choice.
  public var dataSources: [DataSourceDescription]
  /// The `id` of the data source in use.
  public var selectedDataSource: Int?
  /// The device this port belongs to, where several ports belong to one.
  public var deviceUID: String?
  /// Whether the device cancels echoes by itself.
  public var hasHardwareVoiceCallProcessing: Bool
  /// Whether an `airPlay` output belongs to a mirrored screen; audio alone is unmirrored (rule MOD-4).
  public var isMirrored: Bool

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - uid: The unique id.
  ///   - name: The name for people; nil takes the uid.
  ///   - type: The kind of port.
  ///   - direction: The direction of the audio.
  ///   - channelNames: The channels, in order.
  ///   - dataSources: The data sources of the port.
  ///   - selectedDataSource: The `id` of the data source in use.
  ///   - deviceUID: The device this port belongs to.
  ///   - hasHardwareVoiceCallProcessing: Whether the device cancels echoes by itself.
  ///   - isMirrored: Whether an `airPlay` output belongs to a mirrored screen.
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
    isMirrored: Bool = false,
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
    self.isMirrored = isMirrored
  }
}

/// One of several sources or sinks a port can be switched to, such as a front microphone.
///
/// Pure value: [any-thread].
public struct DataSourceDescription: Hashable, Codable, Sendable {
  /// The number, unique within its port.
  public var id: Int
  /// The name for people.
  public var name: String
  /// The place of the microphone: `Upper` or `Lower`, nil when unknown.
  public var location: String?
  /// The direction of the microphone: `Top`, `Bottom`, `Front`, `Back`, `Left`, `Right`, nil when
  /// unknown.
  public var orientation: String?
  /// Supported polar patterns: `Omnidirectional`, `Cardioid`, `Subcardioid`, `Stereo`.
  public var polarPatterns: [String]
  /// The polar pattern in use, nil where there is no choice.
  public var selectedPolarPattern: String?

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - id: The number, unique within its port.
  ///   - name: The name for people.
  ///   - location: The place.
  ///   - orientation: The direction.
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
