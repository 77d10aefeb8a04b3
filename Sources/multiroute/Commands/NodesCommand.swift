// SPDX-License-Identifier: MIT

import ArgumentParser
import InterAppAudio
import UnixSignals

/// `multiroute nodes`: what nodes there are.
struct NodesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes",
    abstract: "List the nodes that run and those that are installed, the one used last first.",
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
  @Flag(help: "Then print what changes, until interrupted.") var watch = false

  func run() async throws {
    try await server.withHost { host in
      let wanted = AudioComponentDescription(
        componentType: kind?.componentType ?? .any,
        componentSubType: subtype ?? .any,
        componentManufacturer: manufacturer ?? .any,
      )
      let nodes = await host.nodes(finding: wanted)
      if json {
        for node in nodes { Terminal.say(try JSONLine.text(NodeLine(node))) }
      } else {
        for line in NodeLine.table(nodes) { Terminal.say(line) }
      }
      guard watch else { return }
      let signals = Task {
        for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { await host.close() }
      }
      defer { signals.cancel() }
      for await change in host.changes {
        let line = NodeChangeLine(change)
        Terminal.say(json ? try JSONLine.text(line) : line.text)
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
