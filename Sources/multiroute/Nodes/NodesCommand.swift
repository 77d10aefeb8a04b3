// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import InterAppAudio
import UnixSignals

/// `multiroute nodes …`: the nodes that run and those that are installed.
struct NodesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes",
    abstract: "List nodes, or stop one: list, stop.",
    subcommands: [NodesListCommand.self, NodesStopCommand.self],
    defaultSubcommand: NodesListCommand.self,
  )
}

/// `multiroute nodes stop NAME`: ends the program of a node.
struct NodesStopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "End the programs of nodes, such as those that 'multiroute connect' has started.",
    discussion: "A node that a graph uses is started again by its host.",
  )

  @OptionGroup var server: NodeServerOption
  @Argument(
    help: "The names of nodes, as 'multiroute nodes' shows them.",
    completion: LiveNames.clients,
  )
  var names: [String]

  func run() async throws {
    try await server.withHost { host in
      var nodes: [Node] = []
      // All names are looked up first, so that a wrong one ends nothing.
      for name in names { nodes.append(try await host.node(named: name)) }
      for node in nodes {
        let pid = try await host.stop(node)
        Terminal.say("stopped \(node.name) (process \(pid))")
      }
    }
  }
}

/// `multiroute nodes`: lists the nodes.
struct NodesListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the nodes that run and those that are installed, the last used one first.",
  )

  @OptionGroup var server: NodeServerOption
  @Option(help: "Only nodes of this kind.", transform: NodeKind.init(argument:)) var kind: NodeKind?
  @Option(
    help: "Only nodes with this subtype, four characters.",
    transform: FourCharCode.init(argument:)
  )
  var subtype: FourCharCode?
  @Option(
    help: "Only nodes of this maker, four characters.",
    transform: FourCharCode.init(argument:)
  )
  var manufacturer: FourCharCode?
  @Flag(help: "Print JSON, one object a line.") var json = false
  @Flag(help: "Then print each change, until interrupted.") var watch = false

  func run() async throws {
    try await server.withHost { host in
      let wanted = AudioComponentDescription(
        componentType: kind?.componentType ?? .any,
        componentSubType: subtype ?? .any,
        componentManufacturer: manufacturer ?? .any,
      )
      let signals = watch ? await UnixSignalsSequence(trapping: .sigint, .sigterm) : nil
      let nodes = await host.nodes(finding: wanted)
      if json {
        for node in nodes { try Terminal.say(json: NodeLine(node)) }
      } else {
        for line in NodeLine.table(nodes) { Terminal.say(line) }
      }
      guard let signals else { return }
      let closing = Task {
        for await _ in signals { await host.close() }
      }
      defer { closing.cancel() }
      for await change in host.changes {
        let line = NodeChangeLine(change)
        if json { try Terminal.say(json: line) } else { Terminal.say(line.text) }
      }
    }
  }
}

extension NodeKind {
  /// Reads the kind from the command line.
  fileprivate init(argument: String) throws {
    guard let kind = NodeKind(rawValue: argument) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("the kind '\(argument)' is not known; allowed: \(names)")
    }
    self = kind
  }
}

extension FourCharCode {
  /// Reads the code from the command line.
  fileprivate init(argument: String) throws {
    guard let code = FourCharCode(argument) else {
      throw ValidationError("'\(argument)' has not exactly four printable ASCII characters")
    }
    self = code
  }
}

/// A node as scripts read it: one object of `multiroute nodes --json`.
///
/// Pure value: [any-thread].
struct NodeLine: Encodable {
  let name: String
  let client: String?
  let kind: String
  let subtype: String
  let manufacturer: String
  let version: String
  let icon: String?
  let running: Bool
  let host: String?
  let audioInputs: [String]
  let audioOutputs: [String]
  let midiInputs: [String]
  let entitlement: Bool
  let mixWithOthers: Bool
  let lastUsed: Double
  let command: [String]
  let file: String?

  init(_ node: Node) {
    let description = node.description
    name = description.name
    client = node.client
    kind = description.kind.rawValue
    subtype = description.subtype.text
    manufacturer = description.manufacturer.text
    version = description.versionText
    icon = description.iconName
    running = node.isRunning
    host = node.host
    audioInputs = node.isRunning ? node.audioInputs : description.ports.audioInputs
    audioOutputs = node.isRunning ? node.audioOutputs : description.ports.audioOutputs
    midiInputs = node.isRunning ? node.midiInputs : description.ports.midiInputs
    entitlement = description.hasEntitlement
    mixWithOthers = description.mixesWithOthers
    lastUsed = node.lastActiveSeconds
    command = node.command
    file = node.file
  }

  /// The nodes as a table for people.
  static func table(_ nodes: [Node]) -> [String] {
    var table = Table(["node", "kind", "type", "version", "state", "channels"])
    for node in nodes {
      let description = node.description
      let state = node.isRunning ? node.host.map { "in \($0)" } ?? "running" : "installed"
      table.add([
        node.client ?? description.name, description.kind.rawValue,
        "\(description.component.componentType.text) \(description.subtype.text) \(description.manufacturer.text)",
        description.versionText, state,
        // A node file may leave the ports out.
        description.ports.audioOutputs.isEmpty
          ? "–"
          : "\(description.ports.audioInputs.count) in, \(description.ports.audioOutputs.count) out",
      ])
    }
    return table.lines(width: Terminal.columns)
  }
}

/// A change as scripts read it: one object of `multiroute nodes --watch --json`.
///
/// Pure value: [any-thread].
struct NodeChangeLine: Encodable {
  let change: String
  let node: NodeLine
  let detail: String?

  init(_ change: RegistrationChange) {
    switch change {
    case .published(let node): (self.change, self.node, detail) = ("published", NodeLine(node), nil)
    case .changed(let node):
      (self.change, self.node, detail) = ("changed", NodeLine(node), node.host)
    case .withdrawn(let node): (self.change, self.node, detail) = ("withdrawn", NodeLine(node), nil)
    case .remoteControl(let node, let event):
      (self.change, self.node, detail) = ("remoteControl", NodeLine(node), "\(event)")
    case .overran(let node, let count):
      (self.change, self.node, detail) = ("overran", NodeLine(node), "\(count)")
    case .parameterChanged(let node, let parameter):
      let value = "\(parameter.name) \(parameter.value)"
      (self.change, self.node, detail) = ("parameterChanged", NodeLine(node), value)
    }
  }

  var text: String {
    "\(change) \(node.client ?? node.name) (\(node.kind))" + (detail.map { ": \($0)" } ?? "")
  }
}
