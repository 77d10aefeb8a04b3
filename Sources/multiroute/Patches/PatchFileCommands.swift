// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket
import FoundationEssentials
import GraphFiles
import PatchFiles
import SystemSupport

/// `multiroute import`: makes a graph of another program's patch file.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Make a graph with patch rules of a patch bay of qjackctl or qpwgraph, or a file of aj-snapshot.",
    discussion: """
      Lists on standard error what a graph cannot have. Example: multiroute import studio.xml --output studio.yaml
      """,
  )

  @Argument(help: ArgumentHelp("The XML file.", valueName: "file")) var file: String
  @OptionGroup var output: NewFileOption

  func run() throws {
    let imported: PatchImport
    do throws(PatchFileFault) {
      imported = try PatchImport(file: file)
    } catch {
      Terminal.complain("\(file):\(error.line): error: \(error.message)")
      throw ExitCode.badData
    }
    for note in imported.notes {
      Terminal.complain("\(file):\(note.line): left out: \(note.message)")
    }
    guard !imported.rules.isEmpty else {
      Terminal.complain(
        "\(file):1: error: it has no connections that can be read; allowed: a patch bay of qjackctl "
          + "or qpwgraph, or a file of aj-snapshot"
      )
      throw ExitCode.badData
    }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let text = imported.graphText(source: name)
    do throws(GraphFileErrors) {
      _ = try GraphFile.parse(text, path: output.path ?? "imported.yaml")
    } catch {
      Terminal.complain(lines: "\(file):1: error: the rules make no graph:\n\(error.description)")
      throw ExitCode.badData
    }
    try output.write(text, summary: "\(imported.rules.count) rules of \(imported.format.rawValue)")
  }
}

/// `multiroute export`: writes patch rules, or the connections of a running host's server, as another program's file.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Write connections as a file of qjackctl's patch bay or of aj-snapshot.",
    discussion: """
      With a graph these are its patch rules; rules that the other program cannot have are listed on standard error. Without one they are the \
      connections of the running host's server, but for those that the host itself makes. Example: \
      multiroute export studio.yaml --format qjackctl --output studio.xml
      """,
  )

  @OptionGroup var host: HostOption
  @Argument(
    help: ArgumentHelp("The graph file; left out: what is connected now.", valueName: "graph"),
    completion: .file(extensions: ["yaml"]),
  )
  var graph: String?
  @Option(help: "The program: qjackctl or aj-snapshot.", transform: Self.format)
  var format: PatchExport.Format
  @OptionGroup var output: NewFileOption

  func run() async throws {
    guard let graph else {
      let (rules, name) = try await connections()
      let exported = PatchExport(rules, as: format, name: name)
      return try output.write(
        exported.text,
        summary: "\(rules.count) connections of the server of '\(name)'",
      )
    }
    let found: GraphFile
    do throws(GraphFileErrors) {
      found = try GraphFile.load(path: graph)
    } catch {
      Terminal.complain(lines: error.description)
      throw ExitCode.badData
    }
    let exported = PatchExport(found.patches, as: format, name: found.name)
    for note in exported.notes {
      Terminal.complain("\(graph):\(note.line): left out: \(note.message)")
    }
    try output.write(exported.text, summary: "the patch rules of \(found.name)")
  }

  /// The connections of the running host's server that it does not make itself, and the host's name.
  private func connections() async throws -> (rules: [GraphFile.PatchRule], host: String) {
    try await host.withClient { client in
      let name = try await client.call(GetStatus.self).host.name
      let patch = try await client.call(ListPatch.self)
      let makers: Set<PatchMaker> = [.rule, .user, .program]
      let others = patch.connections.filter { $0.madeBy.map(makers.contains) ?? false }
      return (others.map { GraphFile.PatchRule(.connect, $0.source, to: $0.destination) }, name)
    }
  }

  private static func format(_ name: String) throws -> PatchExport.Format {
    guard let format = PatchExport.Format(rawValue: name) else {
      let names = PatchExport.Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(name)' is not known; allowed: \(names)")
    }
    return format
  }
}

/// A file to write that must not exist yet.
///
/// Belongs to the control thread.
struct NewFileOption: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write; left out: standard output.", valueName: "file"),
  )
  var path: String?

  @Flag(help: "Replace the file if it exists.")
  var force = false

  /// Writes a text to the file, or to standard output.
  ///
  /// - Throws: Status 73 where the file exists or cannot be written.
  func write(_ text: String, summary: String) throws {
    guard let path else { return Terminal.draw(text) }
    guard force || !FileManager.default.fileExists(atPath: path) else {
      Terminal.complain("error: \(path) exists; nothing is written. --force replaces it")
      throw ExitCode.cannotCreate
    }
    do throws(FileReplacement.Fault) {
      try FileReplacement.replace(path, with: Array(text.utf8))
    } catch {
      Terminal.complain("error: nothing is written: \(error)")
      throw ExitCode.cannotCreate
    }
    Terminal.say("\(path): \(summary)")
  }
}
