// SPDX-License-Identifier: MIT

internal import JACK

/// A node that a node file declares: an installed node, or a program without support for inter-app audio.
///
/// Pure value: [any-thread].
public struct InstalledNode: Hashable, Sendable {
  /// The fate of a program when the `multiroute run` that started it dies.
  ///
  /// Programs that ``InterAppHost`` starts stay.
  public enum LossPolicy: String, Sendable {
    /// The system sends it SIGTERM: for programs that do not notice the end of their host.
    case stop
    /// It continues, and the next host uses it.
    case stay
  }

  /// The description that the file gives.
  public var description: NodeDescription
  /// The name of its JACK client.
  public var client: String
  /// The command that starts it; empty if the file gives none.
  public var command: [String]
  /// Variables that the file adds to the environment of the command.
  public var environment: [String: String]
  /// The file's path.
  public var path: String
  /// Whether the program publishes itself; the file then only serves to find and start it.
  public var publishesItself: Bool
  /// The fate of the program when the host that started it dies.
  public var lossPolicy: LossPolicy

  /// Makes a declaration.
  public init(
    description: NodeDescription,
    client: String,
    command: [String],
    environment: [String: String] = [:],
    path: String,
    publishesItself: Bool,
    lossPolicy: LossPolicy = .stay,
  ) {
    self.description = description
    self.client = client
    self.command = command
    self.environment = environment
    self.path = path
    self.publishesItself = publishesItself
    self.lossPolicy = lossPolicy
  }

  /// Whether the file makes a client of this name a node.
  func declares(client name: String) -> Bool { !publishesItself && client == name }

  /// The short names of the ports: those of the file, or the client's in their order.
  ///
  /// Nil while a port is missing.
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

  /// The declaration as a node that is not running.
  public var node: Node {
    Node(description: description, command: command, environment: environment, file: path)
  }
}

extension [InstalledNode] {
  /// The file that declares a running node; nil for none.
  ///
  /// A node that publishes itself belongs to the file with its component. If several files have it, the client's name
  /// decides. [any-thread]
  func file(of running: NodeDescription, client name: String) -> InstalledNode? {
    let fitting = filter { file in
      file.publishesItself ? file.description.component == running.component : file.client == name
    }
    return fitting.first { $0.client == name } ?? (fitting.count == 1 ? fitting.first : nil)
  }
}

/// A fault in a node file.
///
/// Pure value: [any-thread].
public struct NodeFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The line in the file, from 1; nil for the whole file.
  public let line: Int?
  /// The fault and the allowed values.
  public let message: String

  init(path: String, line: Int? = nil, _ message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  /// `file:line: error: message`.
  public var description: String {
    "\(path):\(line.map { "\($0):" } ?? "") error: \(message)"
  }
}
