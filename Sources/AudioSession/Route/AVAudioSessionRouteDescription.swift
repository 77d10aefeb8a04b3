// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import Foundation

/// Where a session's audio comes from and goes to (RTE-1).
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
  private let inputPorts: [AVAudioSessionPortDescription]
  private let outputPorts: [AVAudioSessionPortDescription]

  /// Makes an empty route, for doubles in tests.
  public override init() {
    inputPorts = []
    outputPorts = []
  }

  init(_ detail: RouteDetail) {
    inputPorts = detail.inputs.map { AVAudioSessionPortDescription($0) }
    outputPorts = detail.outputs.map { AVAudioSessionPortDescription($0) }
  }

  /// The inputs in use: at most one but in mode `dualRoute` (CAT-3).
  open var inputs: [AVAudioSessionPortDescription] { inputPorts }

  /// The outputs in use: one, or with `multiRoute` every eligible one, in order of connection.
  open var outputs: [AVAudioSessionPortDescription] { outputPorts }

  /// The ports by type, name and uid.
  open override var description: String {
    "<AVAudioSessionRouteDescription inputs = \(inputs), outputs = \(outputs)>"
  }

  /// Whether the other route has the same ports in the same order.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionRouteDescription else { return false }
    return inputs == other.inputs && outputs == other.outputs
  }

  /// Equal for equal routes.
  open override var hash: Int { inputs.hashValue ^ outputs.hashValue &* 31 }
}
