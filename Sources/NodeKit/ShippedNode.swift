// SPDX-License-Identifier: MIT

public import InterAppAudio

/// The kinds of nodes that MultiRoute ships, each a small example and a tool.
public enum ShippedNode: String, CaseIterable, Sendable {
  /// A generator: plays a sound file.
  case player
  /// An instrument: sixteen voices.
  case synth
  /// An effect: a stereo delay.
  case delay
  /// An effect: a parametric equalizer.
  case equalizer
  /// A music effect: a gate that held notes open in the host's tempo.
  case gate

  /// What the node says about itself.
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
    )
  }
}

/// What can be done with a published node of any kind.
public protocol RunningNode: AnyObject {
  /// What it says about itself.
  var description: NodeDescription { get }
  /// Its client's name, as JACK gave it.
  var name: String { get }
  /// What it is told, for one reader.
  var events: AsyncStream<NodeEvent> { get }
  /// Takes it off the list and closes its client.
  func close()
}

extension PublishedNode: RunningNode where State: ~Copyable {}
