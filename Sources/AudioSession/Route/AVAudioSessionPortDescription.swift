// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import Foundation

/// One port of a route: a device, or the JACK ports that stand for one (RTE-1).
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
  let detail: PortDetail

  /// Makes a description of nothing, for doubles in tests.
  public override init() {
    detail = PortDetail(
      uid: "",
      name: "",
      type: "",
      channels: [],
      jackPorts: [],
      dataSources: [],
      selectedDataSource: nil,
      hasHardwareVoiceCallProcessing: false,
    )
  }

  init(_ detail: PortDetail) { self.detail = detail }

  /// What kind of port it is.
  open var portType: AVAudioSession.Port { AVAudioSession.Port(rawValue: detail.type) }

  /// The name people read.
  open var portName: String { detail.name }

  /// The unique id: the name of the route in the host's graph file, stable over restarts.
  open var uid: String { detail.uid }

  /// Whether the device cancels echoes by itself.
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

  /// What the port can be switched to; nil where there is no choice.
  open var dataSources: [AVAudioSessionDataSourceDescription]? {
    detail.dataSources.isEmpty
      ? nil : detail.dataSources.map { AVAudioSessionDataSourceDescription($0, portUID: uid) }
  }

  /// The data source in use; nil where there is no choice.
  open var selectedDataSource: AVAudioSessionDataSourceDescription? {
    dataSources?.first { $0.dataSourceID.intValue == detail.selectedDataSource }
  }

  /// The data source that this app prefers; nil where it has no preference.
  open var preferredDataSource: AVAudioSessionDataSourceDescription? {
    guard let wanted = SessionController.shared.preferredDataSource(ofPort: uid) else { return nil }
    return dataSources?.first { $0.dataSourceID.intValue == wanted }
  }

  /// Prefers one of `dataSources`; nil takes the wish back (RTE-5).
  ///
  /// - Throws: `badParam` for a data source of another port; `resourceNotAvailable` where the port has none.
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

  /// Always nil: no Bluetooth microphone behind JACK says what it can do.
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
