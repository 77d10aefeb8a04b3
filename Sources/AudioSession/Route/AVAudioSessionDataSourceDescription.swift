// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import Foundation

/// One of several sources that a port can be switched to, such as a front microphone.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
  private let detail: DataSourceDetail
  private let portUID: String

  /// Makes a description of nothing, for doubles in tests.
  public override init() {
    detail = DataSourceDetail(
      id: 0,
      name: "",
      location: nil,
      orientation: nil,
      polarPatterns: [],
      selectedPolarPattern: nil,
    )
    portUID = ""
  }

  init(_ detail: DataSourceDetail, portUID: String) {
    self.detail = detail
    self.portUID = portUID
  }

  /// The number, unique within its port.
  open var dataSourceID: NSNumber { NSNumber(value: detail.id) }

  /// The name people read.
  open var dataSourceName: String { detail.name }

  /// Where it is; nil where nobody knows.
  open var location: AVAudioSession.Location? {
    detail.location.map(AVAudioSession.Location.init(rawValue:))
  }

  /// Where it points; nil where nobody knows.
  open var orientation: AVAudioSession.Orientation? {
    detail.orientation.map(AVAudioSession.Orientation.init(rawValue:))
  }

  /// The polar patterns to choose from; nil where there is no choice.
  open var supportedPolarPatterns: [AVAudioSession.PolarPattern]? {
    detail.polarPatterns.isEmpty
      ? nil : detail.polarPatterns.map(AVAudioSession.PolarPattern.init(rawValue:))
  }

  /// The polar pattern in use; nil where there is no choice.
  open var selectedPolarPattern: AVAudioSession.PolarPattern? {
    detail.selectedPolarPattern.map(AVAudioSession.PolarPattern.init(rawValue:))
  }

  /// The polar pattern that this app prefers; nil where it has no preference.
  open var preferredPolarPattern: AVAudioSession.PolarPattern? {
    SessionController.shared.preferredPolarPattern(ofSource: detail.id, port: portUID)
      .map(AVAudioSession.PolarPattern.init(rawValue:))
  }

  /// Prefers one of `supportedPolarPatterns`; nil takes the wish back (RTE-5).
  ///
  /// - Throws: `resourceNotAvailable` for a pattern that the source does not have.
  /// [control-thread]
  open func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
    if let pattern, !detail.polarPatterns.contains(pattern.rawValue) {
      throw NSError.session(
        .resourceNotAvailable,
        "data source '\(detail.name)' has no polar pattern \(pattern.rawValue)",
        offending: pattern.rawValue,
        allowed: detail.polarPatterns,
        rule: "RTE-5",
      )
    }
    try SessionController.shared.setPreferredPolarPattern(
      pattern?.rawValue,
      ofSource: detail.id,
      port: portUID,
    )
  }

  /// Number and name.
  open override var description: String {
    "<AVAudioSessionDataSourceDescription ID = \(detail.id); name = \(detail.name)>"
  }

  /// Whether the other describes the same source.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionDataSourceDescription else { return false }
    return detail.id == other.detail.id && portUID == other.portUID
  }

  /// Equal for descriptions of the same source.
  open override var hash: Int { detail.id ^ portUID.hashValue }
}
