// SPDX-License-Identifier: MIT

internal import JACK

/// A node that a file declares: one that is installed and may not run, or a program that knows
/// nothing of inter-app audio.
public struct InstalledNode: Hashable, Sendable {
  /// What becomes of a program that `multiroute run` has started when that host dies; what ``InterAppHost`` starts stays.
  public enum LossPolicy: String, Sendable {
    /// The system sends it SIGTERM: for programs that do not learn of it themselves.
    case stop
    /// It goes on, and is there for the next host.
    case stay
  }

  /// What the file says about it.
  public var description: NodeDescription
  /// The name of its JACK client while it runs.
  public var client: String
  /// What starts it; empty where the file does not say.
  public var command: [String]
  /// The file's path.
  public var path: String
  /// Whether the program publishes itself, so that the file is only there to find and start it.
  public var publishesItself: Bool
  /// What becomes of it when the host that has started it dies.
  public var lossPolicy: LossPolicy

  /// Makes a declaration.
  public init(
    description: NodeDescription,
    client: String,
    command: [String],
    path: String,
    publishesItself: Bool,
    lossPolicy: LossPolicy = .stay,
  ) {
    self.description = description
    self.client = client
    self.command = command
    self.path = path
    self.publishesItself = publishesItself
    self.lossPolicy = lossPolicy
  }

  /// Whether the file makes a client of this name a node.
  func declares(client name: String) -> Bool { !publishesItself && client == name }

  /// The short names of the ports, where the file leaves them out taken from the client's, in
  /// their order; nil while a port is missing.
  func ports(among ports: [PortInfo]) -> NodePorts? {
    func names(_ wanted: [String], _ fits: (PortInfo) -> Bool) -> [String]? {
      let found = ports.filter(fits).map(\.shortName)
      guard !wanted.isEmpty else { return found }
      return Set(wanted).isSubset(of: found) ? wanted : nil
    }
    let declared = description.ports
    guard let inputs = names(declared.audioInputs, { $0.isAudio && $0.isInput }),
      let outputs = names(declared.audioOutputs, { $0.isAudio && $0.isOutput }),
      let midi = names(declared.midiInputs, { $0.isMIDI && $0.isInput })
    else { return nil }
    let kind = description.kind
    guard !outputs.isEmpty, !kind.takesAudio || !inputs.isEmpty, !kind.takesMIDI || !midi.isEmpty
    else { return nil }
    return NodePorts(
      audioInputs: kind.takesAudio ? inputs : [],
      audioOutputs: outputs,
      midiInputs: kind.takesMIDI ? midi : [],
    )
  }

  /// The declaration as a node that does not run.
  public var node: Node { Node(description: description, command: command, file: path) }
}

extension [InstalledNode] {
  /// The file that a running node is of; nil for none.
  ///
  /// A node that publishes itself is of the only file with its component, whatever its client is called; where there
  /// are several the client's name decides.
  func file(of running: NodeDescription, client name: String) -> InstalledNode? {
    let fitting = filter { file in
      file.publishesItself ? file.description.component == running.component : file.client == name
    }
    return fitting.first { $0.client == name } ?? (fitting.count == 1 ? fitting.first : nil)
  }
}
