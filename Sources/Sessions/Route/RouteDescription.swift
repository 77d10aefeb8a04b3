// SPDX-License-Identifier: MIT

/// The inputs and outputs of a session (rule RTE-1).
///
/// Pure value: [any-thread].
public struct RouteDescription: Hashable, Codable, Sendable {
  /// The inputs in use: at most one (rule CAT-3).
  public var inputs: [PortDescription]
  /// The outputs in use: one, or with `multiRoute` every eligible one, in order of connection.
  public var outputs: [PortDescription]

  /// Makes a route.
  ///
  /// - Parameters:
  ///   - inputs: The inputs in use.
  ///   - outputs: The outputs in use.
  public init(inputs: [PortDescription] = [], outputs: [PortDescription] = []) {
    self.inputs = inputs
    self.outputs = outputs
  }
}

/// Why a route changed; the SDK's raw values (rule RTE-2).
public enum RouteChangeReason: UInt, CaseIterable, Codable, Sendable {
  /// The reason is not known.
  case unknown = 0
  /// A device was connected.
  case newDeviceAvailable = 1
  /// The device in use went away: players pause.
  case oldDeviceUnavailable = 2
  /// The category, mode or options changed, or the session became active.
  case categoryChange = 3
  /// The output was overridden, or the override ended.
  case override = 4
  /// The machine woke up.
  case wakeFromSleep = 6
  /// All connected ports are unfit for the category.
  case noSuitableRouteForCategory = 7
  /// The same ports with other data sources or channels.
  case routeConfigurationChange = 8
}

/// The relation of a session's route choice to that of other apps; the SDK's raw values.
public enum RouteSharingPolicy: UInt, CaseIterable, Codable, Sendable {
  /// The usual rules.
  case `default` = 0
  /// Long-form audio: shares the route of the system's music.
  case longFormAudio = 1
  /// Chosen by the system's route picker; apps must not set it.
  case independent = 2
  /// Long-form video.
  case longFormVideo = 3
}

/// The override of the output; the SDK's raw values (rule RTE-5).
public enum PortOverride: UInt, Codable, Sendable {
  /// The usual route.
  case none = 0
  /// The built-in speaker and the built-in microphone ('spkr').
  case speaker = 0x7370_6B72
}

/// The outputs to which an app, or its user, connected it: its placement.
///
/// They hold like an override, until an output is plugged in that was not connected when the choice was made. From
/// then on the rules for routes decide (rules CAT-2, RTE-5).
///
/// Pure value: [any-thread].
public struct PreferredOutputs: Hashable, Codable, Sendable {
  /// The uids of the outputs.
  public var uids: Set<String>
  /// The uids of all outputs that were connected when the choice was made.
  public var known: Set<String>

  /// Makes a choice.
  ///
  /// - Parameters:
  ///   - uids: The uids of the outputs.
  ///   - known: The uids of all outputs that were connected when the choice was made.
  public init(uids: Set<String>, known: Set<String>) {
    self.uids = uids
    self.known = known
  }

  /// The chosen ones among the connected outputs.
  ///
  /// - Parameters:
  ///   - eligible: The outputs that the session may use, in order of connection.
  ///   - joinsNewOutputs: Whether the choice also holds after a new output was plugged in.
  /// - Returns: The outputs; nil if none is connected, or if the rules for routes decide.
  func choice(
    among eligible: [PortDescription],
    joinsNewOutputs: Bool,
  ) -> [PortDescription]? {
    let chosen = eligible.filter { uids.contains($0.uid) }
    guard !chosen.isEmpty else { return nil }
    return joinsNewOutputs || eligible.allSatisfy { known.contains($0.uid) } ? chosen : nil
  }
}

extension RouteSharingPolicy: WireNamed {
  /// The name of the SDK's case, such as `longFormAudio`.
  public var name: String {
    switch self {
    case .default: "default"
    case .longFormAudio: "longFormAudio"
    case .independent: "independent"
    case .longFormVideo: "longFormVideo"
    }
  }
}

extension PortOverride: WireNamed, CaseIterable {
  /// Both values.
  public static let allCases: [PortOverride] = [.none, .speaker]

  /// The name of the SDK's case, such as `speaker`.
  public var name: String {
    switch self {
    case .none: "none"
    case .speaker: "speaker"
    }
  }
}
