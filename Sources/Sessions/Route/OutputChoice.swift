// SPDX-License-Identifier: MIT

/// One output in a session's route picker: usable now, or not with the reason (rule VOL-4).
///
/// Pure value: [any-thread].
public struct OutputChoice: Hashable, Codable, Sendable {
  /// The output.
  public var port: PortDescription
  /// The reason why the session cannot be moved there; nil where it can.
  public var fault: OutputFault?
  /// Whether the session's route has it now.
  public var isInUse: Bool
  /// Whether the user has chosen it for the session's program.
  public var isChosen: Bool

  /// Makes a choice.
  ///
  /// - Parameters:
  ///   - port: The output.
  ///   - fault: The reason why the session cannot be moved there; nil where it can.
  ///   - isInUse: Whether the session's route has it now.
  ///   - isChosen: Whether the user has chosen it.
  public init(
    port: PortDescription,
    fault: OutputFault? = nil,
    isInUse: Bool = false,
    isChosen: Bool = false,
  ) {
    self.port = port
    self.fault = fault
    self.isInUse = isInUse
    self.isChosen = isChosen
  }
}

/// Why a session cannot be moved to an output (rules OPT-2, MOD-4, VOL-4).
///
/// Pure value: [any-thread].
public enum OutputFault: Hashable, Codable, Sendable {
  /// The route is in the graph, and its ports are not there.
  case notConnected
  /// The category has no output.
  case noOutput(category: Category)
  /// `multiRoute` plays to every route that it may use.
  case everyRoute
  /// Ports of this type are inputs.
  case inputOnly(type: PortType)
  /// The category does not take this type.
  case category(category: Category, type: PortType)
  /// The mode does not take this type.
  case mode(mode: Mode, type: PortType)
  /// The type needs an option that the session does not have.
  case missingOption(option: CategoryOptions, type: PortType)
  /// The category takes network outputs of mirrored screens only.
  case notMirrored(category: Category)

  /// The reason as a clause, without a full stop.
  public var message: String {
    switch self {
    case .notConnected: "its ports are not there"
    case .noOutput(let category): "category \(category.name) has no output"
    case .everyRoute: "category multiRoute plays to every route that it may use"
    case .inputOnly(let type): "\(type.name) is no output"
    case .category(let category, let type):
      "category \(category.name) does not take \(type.name)"
    case .mode(let mode, let type): "mode \(mode.name) does not take \(type.name)"
    case .missingOption(let option, let type):
      "\(type.name) needs option \(option.names.joined(separator: ", "))"
    case .notMirrored(let category):
      "category \(category.name) takes \(PortType.airPlay.name) of mirrored screens only"
    }
  }
}

extension TowerState {
  /// The connected outputs, each with whether a session may be moved there (rule VOL-4).
  ///
  /// - Parameter id: The session.
  /// - Returns: The outputs in order of connection; empty for an unknown session.
  public func outputChoices(of id: SessionID) -> [OutputChoice] {
    guard let session = session(id) else { return [] }
    return ports.filter { $0.direction == .output }.map { port in
      OutputChoice(
        port: port,
        fault: session.configuration.choiceFault(port),
        isInUse: session.route.outputs.contains { $0.uid == port.uid },
        isChosen: chosenOutputs[session.app] == port.uid,
      )
    }
  }
}
