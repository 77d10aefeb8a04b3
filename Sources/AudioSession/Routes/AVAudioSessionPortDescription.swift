// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import Foundation
internal import Sessions

/// One port of a route: a device, or the JACK ports that stand for one (RTE-1).
///
/// Immutable: [any-thread].
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
  let detail: PortDetail
  private let typeName: String

  /// Makes an empty description, for test doubles.
  public override init() {
    detail = PortDetail(
      uid: "",
      name: "",
      type: .virtual,
      channels: [],
      jackPorts: [],
      dataSources: [],
      selectedDataSource: nil,
      hasHardwareVoiceCallProcessing: false,
    )
    typeName = ""
  }

  init(_ detail: PortDetail) {
    self.detail = detail
    typeName = detail.typeName
  }

  /// The type of the port.
  open var portType: AVAudioSession.Port { AVAudioSession.Port(rawValue: typeName) }

  /// The name people read.
  open var portName: String { detail.name }

  /// The unique id: the name of the route in the host's graph file, stable over restarts.
  open var uid: String { detail.uid }

  /// Whether the device cancels echoes in hardware.
  open var hasHardwareVoiceCallProcessing: Bool { detail.hasHardwareVoiceCallProcessing }

  /// Always false: JACK has no spatial audio.
  open var isSpatialAudioEnabled: Bool { false }

  /// The channels in order; they may change with the number of channels of the route.
  open var channels: [AVAudioSessionChannelDescription]? {
    detail.channels.enumerated().map { index, name in
      AVAudioSessionChannelDescription(
        name: name,
        owningPortUID: detail.uid,
        number: index + 1,
        label: AVAudioSessionChannelDescription.label(of: index, among: detail.channels.count),
      )
    }
  }

  /// The data sources of the port; nil without a choice.
  open var dataSources: [AVAudioSessionDataSourceDescription]? {
    detail.dataSources.isEmpty
      ? nil : detail.dataSources.map { AVAudioSessionDataSourceDescription($0, portUID: uid) }
  }

  /// The selected data source; nil without a choice.
  open var selectedDataSource: AVAudioSessionDataSourceDescription? {
    dataSources?.first { $0.dataSourceID.intValue == detail.selectedDataSource }
  }

  /// The data source that this app prefers; nil without a preference.
  open var preferredDataSource: AVAudioSessionDataSourceDescription? {
    guard let wanted = SessionController.shared.preferredDataSource(ofPort: uid) else { return nil }
    return dataSources?.first { $0.dataSourceID.intValue == wanted }
  }

  /// Prefers one of `dataSources`; nil withdraws the preference (RTE-5).
  ///
  /// - Throws: `badParam` for a data source of another port; `resourceNotAvailable` if the port has none.
  /// [control-thread]
  open func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    let id = dataSource?.dataSourceID.intValue
    guard let id else {
      try SessionController.shared.setPreferredDataSource(nil, ofPort: uid)
      return
    }
    let known = dataSources ?? []
    guard !known.isEmpty else {
      throw NSError.session(
        .resourceNotAvailable,
        "port '\(uid)' has no data sources to choose from",
        offending: dataSource?.dataSourceName,
        rule: "RTE-5",
      )
    }
    guard known.contains(where: { $0.dataSourceID.intValue == id }) else {
      throw NSError.session(
        .badParam,
        "port '\(uid)' has no data source '\(dataSource?.dataSourceName ?? "")'",
        offending: dataSource?.dataSourceName,
        allowed: known.map(\.dataSourceName),
        rule: "RTE-5",
      )
    }
    try SessionController.shared.setPreferredDataSource(id, ofPort: uid)
  }

  /// Always nil: JACK does not report the capabilities of Bluetooth microphones.
  open var bluetoothMicrophoneExtension: AVAudioSessionPortExtensionBluetoothMicrophone? { nil }

  /// Type, name and uid.
  open override var description: String {
    "<AVAudioSessionPortDescription type = \(portType.rawValue); name = \(portName); UID = \(uid)>"
  }

  /// Whether the other describes the same port.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionPortDescription else { return false }
    return uid == other.uid && portType == other.portType
      && channels?.count == other.channels?.count
  }

  /// Equal for descriptions of the same port.
  open override var hash: Int { uid.hashValue }
}

/// The special capabilities of a Bluetooth microphone; no port on JACK has one.
open class AVAudioSessionPortExtensionBluetoothMicrophone: NSObject, @unchecked Sendable {
  /// High-quality recording.
  open var highQualityRecording: AVAudioSessionCapability { AVAudioSessionCapability() }

  /// Far-field capture.
  open var farFieldCapture: AVAudioSessionCapability { AVAudioSessionCapability() }
}

/// A capability of a port; no port on JACK has any.
open class AVAudioSessionCapability: NSObject, @unchecked Sendable {
  /// Whether the port has the capability.
  open var isSupported: Bool { false }

  /// Whether the capability is in use.
  open var isEnabled: Bool { false }
}
