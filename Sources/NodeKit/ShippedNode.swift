// SPDX-License-Identifier: MIT

public import InterAppAudio

/// The nodes that MultiRoute ships.
///
/// Pure value: [any-thread].
public enum ShippedNode: String, CaseIterable, Sendable {
  /// A generator: plays a sound file.
  case player
  /// An instrument with sixteen voices.
  case synth
  /// An effect: a stereo delay.
  case delay
  /// An effect: a parametric equalizer.
  case equalizer
  /// A music effect: held notes open a gate in the host's tempo.
  case gate

  /// The description that the node publishes.
  public var description: NodeDescription {
    let (kind, subtype, icon): (NodeKind, FourCharCode, String) =
      switch self {
      case .player: (.generator, "play", "media-playback-start")
      case .synth: (.instrument, "synt", "audio-input-microphone")
      case .delay: (.effect, "dely", "audio-x-generic")
      case .equalizer: (.effect, "pmeq", "multimedia-volume-control")
      case .gate: (.musicEffect, "gate", "media-playlist-repeat")
      }
    return NodeDescription(
      kind: kind,
      subtype: subtype,
      manufacturer: "mrte",
      name: rawValue,
      iconName: icon,
      isSessionActive: true,
      hasBackgroundAudio: true,
    )
  }
}

extension ShippedNode {
  /// The node as programs know it without a node file.
  ///
  /// - Parameter program: The path of `multiroute`.
  /// - Returns: The declaration; nil for a node that needs more than its name to start.
  public func installed(in program: String) -> InstalledNode? {
    guard self != .player else { return nil }
    var description = description
    description.ports = .usual(for: description.kind)
    // Two bands that can be heard, rather than an effect that does nothing.
    let settings = self == .equalizer ? ["--band=250,-2,1", "--band=3000,2,0.8"] : []
    return InstalledNode(
      description: description,
      client: rawValue,
      command: [program, "node", "run", rawValue, "--on-loss=stop"] + settings,
      path: program,
      publishesItself: true,
    )
  }
}

/// A published node of any kind.
///
/// Use it from one thread at a time: [control-thread].
public protocol RunningNode: AnyObject {
  /// The description that it publishes.
  var description: NodeDescription { get }
  /// Its client's name, as JACK gave it.
  var name: String { get }
  /// Its events, for one reader.
  var events: AsyncStream<NodeEvent> { get }
  /// Withdraws the node and closes its client.
  func close()
}

extension PublishedNode: RunningNode where State: ~Copyable {}

extension Float {
  /// The number as it is written: 0.4, and not 0.4000000059604645. [any-thread]
  var asWritten: Double { Double("\(self)") ?? Double(self) }
}

extension InterAppAudioError {
  /// Throws if a value is out of its range or not a number. [any-thread]
  static func check<Value: FloatingPoint>(
    _ name: String,
    _ value: Value,
    in range: ClosedRange<Value>,
    _ unit: String = "",
  ) throws(InterAppAudioError) {
    guard !range.contains(value) else { return }
    throw InterAppAudioError(
      .invalidProperty,
      "\(name) \(value): allowed is \(range.lowerBound) to \(range.upperBound)\(unit)",
    )
  }
}
