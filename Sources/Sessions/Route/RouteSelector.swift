// SPDX-License-Identifier: MIT

/// Chooses the route of a session from the connected ports (rules CAT-2 to CAT-5, OPT-2, MOD-4).
///
/// Pure value: [any-thread].
public enum RouteSelector {
  /// The route of a session.
  ///
  /// - Parameters:
  ///   - configuration: The session's configuration.
  ///   - ports: The connected ports, in order of connection.
  ///   - override: The port override in force.
  ///   - preferredInput: The uid of the preferred input.
  ///   - pinnedOutputs: The uids of the outputs that the graph file gives the app; may be empty.
  ///   - preferredOutputs: The outputs to which the app, or its user, connected it; pinned ones count first.
  ///   - chosenOutput: The uid of the output that the user has picked; counts before everything else (rule VOL-4).
  /// - Returns: The route; empty without an eligible port.
  public static func route(
    for configuration: SessionConfiguration,
    ports: [PortDescription],
    override: PortOverride = .none,
    preferredInput: String? = nil,
    pinnedOutputs: [String] = [],
    preferredOutputs: PreferredOutputs? = nil,
    chosenOutput: String? = nil,
  ) -> RouteDescription {
    var route = RouteDescription()
    let chosen = chosenOutput.flatMap { uid in
      ports.last { port in
        port.uid == uid && port.direction == .output && configuration.choiceFault(port) == nil
      }
    }
    let isSpeakerForced =
      chosen == nil && override == .speaker && configuration.category == .playAndRecord
    if let chosen {
      route.outputs = [chosen]
    } else if configuration.category.hasOutput {
      route.outputs = outputs(
        configuration,
        ports,
        isSpeakerForced,
        pinnedOutputs,
        preferredOutputs,
      )
    }
    if configuration.category.hasInput {
      let inputs = availableInputs(for: configuration, ports: ports)
      let forced = isSpeakerForced ? inputs.last { $0.type == .builtInMic } : nil
      let preferred = preferredInput.flatMap { uid in inputs.last { $0.uid == uid } }
      if let input = forced ?? preferred ?? lastIn(inputs) { route.inputs = [input] }
    }
    return route
  }

  /// The inputs that a session may choose from, in order of connection; empty without input.
  ///
  /// - Parameters:
  ///   - configuration: The session's configuration.
  ///   - ports: The connected ports, in order of connection.
  /// - Returns: The eligible inputs.
  public static func availableInputs(
    for configuration: SessionConfiguration,
    ports: [PortDescription]
  ) -> [PortDescription] {
    guard configuration.category.hasInput else { return [] }
    return ports.filter { $0.direction == .input && configuration.allowsInput($0.type) }
  }

  private static func outputs(
    _ configuration: SessionConfiguration,
    _ ports: [PortDescription],
    _ isSpeakerForced: Bool,
    _ pinnedOutputs: [String],
    _ preferredOutputs: PreferredOutputs?,
  ) -> [PortDescription] {
    let eligible = ports.filter {
      $0.direction == .output && configuration.allowsOutput($0)
    }
    if isSpeakerForced, let speaker = eligible.last(where: { $0.type == .builtInSpeaker }) {
      return [speaker]
    }
    if !pinnedOutputs.isEmpty {
      let pinned = eligible.filter { pinnedOutputs.contains($0.uid) }
      if !pinned.isEmpty { return pinned }
    }
    let preferred = preferredOutputs?.choice(
      among: eligible,
      joinsNewOutputs: configuration.category == .multiRoute,
    )
    if let preferred { return preferred }
    let accessories = eligible.filter { !$0.type.isBuiltIn }
    if configuration.category == .multiRoute {
      // The built-in speaker joins only when it is the only output.
      return accessories.isEmpty ? Array(eligible.suffix(1)) : accessories
    }
    guard let chosen = accessories.last else {
      let favourite: PortType =
        configuration.category == .playAndRecord
          && !configuration.options.contains(.defaultToSpeaker)
        ? .builtInReceiver : .builtInSpeaker
      let builtIn = eligible.last { $0.type == favourite } ?? eligible.last
      return builtIn.map { [$0] } ?? []
    }
    return [handsFree(insteadOf: chosen, among: accessories) ?? chosen]
  }

  /// Hands-free beats stereo Bluetooth when one device offers both.
  private static func handsFree(
    insteadOf chosen: PortDescription,
    among ports: [PortDescription]
  ) -> PortDescription? {
    guard chosen.type == .bluetoothA2DP, let device = chosen.deviceUID else { return nil }
    return ports.last { $0.type == .bluetoothHFP && $0.deviceUID == device }
  }

  /// The port connected last; built-in ones are always connected and count as the first.
  private static func lastIn(_ ports: [PortDescription]) -> PortDescription? {
    ports.last { !$0.type.isBuiltIn } ?? ports.last
  }
}
