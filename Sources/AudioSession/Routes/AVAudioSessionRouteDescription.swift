// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import CoreAudio
public import Foundation

/// The inputs and outputs of a session's audio (RTE-1).
///
/// Immutable: [any-thread].
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
  private let inputPorts: [AVAudioSessionPortDescription]
  private let outputPorts: [AVAudioSessionPortDescription]

  /// Makes an empty route, for test doubles.
  public override init() {
    inputPorts = []
    outputPorts = []
  }

  init(_ detail: RouteDetail) {
    inputPorts = detail.inputs.map { AVAudioSessionPortDescription($0) }
    outputPorts = detail.outputs.map { AVAudioSessionPortDescription($0) }
  }

  /// The inputs in use: at most one, except in mode `dualRoute` (CAT-3).
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

/// One channel of a port.
///
/// Immutable: [any-thread].
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {
  private let name: String
  private let portUID: String
  private let number: Int
  private let label: AudioChannelLabel

  /// Makes an empty description, for test doubles.
  public override init() {
    name = ""
    portUID = ""
    number = 0
    label = kAudioChannelLabel_Unknown
  }

  init(name: String, owningPortUID: String, number: Int, label: AudioChannelLabel) {
    self.name = name
    self.portUID = owningPortUID
    self.number = number
    self.label = label
  }

  /// The name people read.
  open var channelName: String { name }

  /// The uid of the port that it belongs to.
  open var owningPortUID: String { portUID }

  /// The channel's number within the port, counted from 1 as on iOS.
  open var channelNumber: Int { number }

  /// The purpose of the channel.
  open var channelLabel: AudioChannelLabel { label }

  static func label(of index: Int, among count: Int) -> AudioChannelLabel {
    switch (count, index) {
    case (1, _): kAudioChannelLabel_Mono
    case (_, 0): kAudioChannelLabel_Left
    case (_, 1): kAudioChannelLabel_Right
    // kAudioChannelLabel_Discrete_0 and following.
    default: (1 << 16) | AudioChannelLabel(index)
    }
  }

  /// Port and number.
  open override var description: String {
    "<AVAudioSessionChannelDescription \(name): channel \(number) of \(portUID)>"
  }

  /// Whether the other describes the same channel.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionChannelDescription else { return false }
    return portUID == other.portUID && number == other.number
  }

  /// Equal for descriptions of the same channel.
  open override var hash: Int { portUID.hashValue ^ number }
}
