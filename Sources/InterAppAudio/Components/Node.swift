// SPDX-License-Identifier: MIT

/// A node as a host sees it: running, installed, or both.
///
/// Pure value: [any-thread].
public struct Node: Hashable, Sendable {
  /// The description that the node publishes, or that its file gives.
  public var description: NodeDescription
  /// The name of its JACK client; nil while it is not running.
  public var client: String?
  /// The metadata subject of its JACK client; nil while it is not running.
  public var clientUUID: UInt64?
  /// The process id; nil for programs that do not publish it.
  public var processID: Int32?
  /// The JACK client name of the connected host; nil for none.
  public var host: String?
  /// The command that starts it; empty if unknown.
  public var command: [String]
  /// Variables that the node file adds to the environment of the command.
  public var environment: [String: String]
  /// The path of the node file that declares it.
  public var file: String?
  /// The time of the last use by a host, in seconds since 1970; 0 for never.
  public var lastActiveSeconds: Double
  /// The reason for which its list of parameters is left out; nil without a fault.
  public var parameterFault: String?

  /// Makes a node.
  public init(
    description: NodeDescription,
    client: String? = nil,
    clientUUID: UInt64? = nil,
    processID: Int32? = nil,
    host: String? = nil,
    command: [String] = [],
    environment: [String: String] = [:],
    file: String? = nil,
    lastActiveSeconds: Double = 0,
  ) {
    self.description = description
    self.client = client
    self.clientUUID = clientUUID
    self.processID = processID
    self.host = host
    self.command = command
    self.environment = environment
    self.file = file
    self.lastActiveSeconds = lastActiveSeconds
  }

  /// Whether the node is running.
  public var isRunning: Bool { client != nil }
  /// The name of its client, or of the program that would be started.
  public var name: String { client ?? description.name }

  /// The full names of its audio inputs; empty while it is not running.
  public var audioInputs: [String] { fullNames(description.ports.audioInputs) }
  /// The full names of its audio outputs; empty while it is not running.
  public var audioOutputs: [String] { fullNames(description.ports.audioOutputs) }
  /// The full names of its MIDI inputs; empty while it is not running.
  public var midiInputs: [String] { fullNames(description.ports.midiInputs) }

  private func fullNames(_ ports: [String]) -> [String] {
    client.map { client in ports.map { "\(client):\($0)" } } ?? []
  }
}

/// A change among the nodes of a server.
///
/// Pure value: [any-thread].
public enum RegistrationChange: Equatable, Sendable {
  /// A node published itself.
  case published(Node)
  /// The description or the host of a node changed.
  case changed(Node)
  /// A node ended; instances of it are invalid.
  case withdrawn(Node)
  /// A node sends its host a transport command.
  case remoteControl(Node, AudioUnitRemoteControlEvent)
  /// A node's callbacks took longer than their period; `count` is the number since it published.
  case overran(Node, count: Int)
  /// A parameter of a node got a value.
  case parameterChanged(Node, NodeParameter)
}

/// A transport command from a node to its host.
public enum AudioUnitRemoteControlEvent: UInt32, Hashable, Sendable, CaseIterable {
  /// Play or pause.
  case togglePlayPause = 1
  /// Start or stop recording.
  case toggleRecord = 2
  /// Return to the beginning.
  case rewind = 3
}
