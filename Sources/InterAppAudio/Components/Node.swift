// SPDX-License-Identifier: MIT

/// A node as a host sees it: running, installed, or both.
public struct Node: Hashable, Sendable {
  /// What it says about itself, or what its file says.
  public var description: NodeDescription
  /// The name of its JACK client; nil while it does not run.
  public var client: String?
  /// The metadata subject of its JACK client; nil while it does not run.
  public var clientUUID: UInt64?
  /// The process it lives in; nil where it does not say, as foreign programs do not.
  public var processID: Int32?
  /// The host it is connected with, by the name of its JACK client.
  public var host: String?
  /// What starts it; empty where nothing is known.
  public var command: [String]
  /// The path of the node file that declares it.
  public var file: String?
  /// When a host last used it, in seconds since 1970; 0 for never.
  public var lastActiveSeconds: Double

  /// Makes a node.
  public init(
    description: NodeDescription,
    client: String? = nil,
    clientUUID: UInt64? = nil,
    processID: Int32? = nil,
    host: String? = nil,
    command: [String] = [],
    file: String? = nil,
    lastActiveSeconds: Double = 0,
  ) {
    self.description = description
    self.client = client
    self.clientUUID = clientUUID
    self.processID = processID
    self.host = host
    self.command = command
    self.file = file
    self.lastActiveSeconds = lastActiveSeconds
  }

  /// Whether it runs now.
  public var isRunning: Bool { client != nil }
  /// What it is called: the name of its client, or of what would be started.
  public var name: String { client ?? description.name }

  /// The full names of its audio inputs; empty while it does not run.
  public var audioInputs: [String] { fullNames(description.ports.audioInputs) }
  /// The full names of its audio outputs; empty while it does not run.
  public var audioOutputs: [String] { fullNames(description.ports.audioOutputs) }
  /// The full names of its MIDI inputs; empty while it does not run.
  public var midiInputs: [String] { fullNames(description.ports.midiInputs) }

  private func fullNames(_ ports: [String]) -> [String] {
    client.map { client in ports.map { "\(client):\($0)" } } ?? []
  }
}
