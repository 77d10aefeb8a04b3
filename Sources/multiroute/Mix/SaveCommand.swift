// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import ControlSocket
import Glibc
import GraphFiles
import Host

/// `multiroute save`: writes the mix of a running host into its graph file.
struct SaveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Write what was mixed by hand on a running host into its graph file.",
    discussion: """
      Comments, order and style of the file stay as they are. Lists on standard error what a graph file has no place for. A graph that \
      came with the package is saved as the one that 'multiroute run' plays by itself. In another folder its files keep their places. \
      Example: multiroute save --diff
      """,
  )

  @OptionGroup var host: HostOption

  @Argument(
    help: ArgumentHelp(
      "The file to write; left out: the graph file of the host.",
      valueName: "file"
    )
  )
  var file: String?

  @Flag(help: "Print the changes as a unified diff, and write nothing.")
  var diff = false

  func run() async throws {
    let found = try await host.withClient { try await $0.call(ListGraphEdits.self) }
    // The graph of standard input is not there any more; then the file is changed in place.
    let isPassing = found.graph.hasPrefix("/dev/") || found.graph.hasPrefix("/proc/")
    let isInstalled = !isPassing && DefaultGraph.isInstalled(found.graph)
    let standard = isInstalled ? DefaultGraph.ownPath : found.graph
    guard let target = file ?? (isPassing ? nil : standard) else {
      Terminal.complain(
        "error: the host's graph is no file of its own; name one: multiroute save FILE"
      )
      throw ExitCode.badData
    }
    let source = isPassing ? target : found.graph
    for value in found.leftOut { Terminal.complain("left out: \(value)") }
    let edits = found.edits.compactMap { edit in
      let known = GraphEdit(path: edit.path, text: edit.value)
      if known == nil {
        Terminal.complain(
          "left out: \(Self.name(edit.path)): \(edit.value), which is not known here"
        )
      }
      return known
    }
    var text = try Self.text(of: source)
    var revision = try Self.revise(text, of: source, for: target, edits)
    var base = source
    if file == nil, isInstalled, unsafe access(target, F_OK) == 0 {
      // It was saved from the installed graph before, and may have comments of its own.
      (base, text) = (target, try Self.text(of: target))
      let own = try Self.revise(text, of: target, for: target, edits)
      guard own.isSameGraph(as: revision) else {
        Terminal.complain(
          "error: \(target) is another graph than \(source), and stays as it is; name a file: multiroute save FILE"
        )
        throw ExitCode.cannotCreate
      }
      revision = own
    }
    for edit in revision.leftOut {
      Terminal.complain(
        "left out: \(Self.name(edit.path)): \(edit.text), which \(source) has no place for"
      )
    }
    if diff {
      let lines = UnifiedDiff.text(from: text, to: revision.text, path: base, newPath: target)
      return Terminal.isInteractive ? Terminal.say(lines: lines) : Terminal.draw(lines)
    }
    try write(revision, from: base, to: target)
  }

  private static func text(of path: String) throws -> String {
    do throws(GraphFileErrors) { return try GraphFile.text(ofFile: path) } catch {
      Terminal.complain(lines: "\(error)\nerror: nothing is written")
      throw ExitCode.badData
    }
  }

  /// Changes the text of a graph file as it is now, for the same or another file.
  private static func revise(
    _ text: String,
    of source: String,
    for target: String,
    _ edits: [GraphEdit],
  ) throws -> GraphRevision {
    do throws(GraphRevisionFault) {
      // In its own place its faults are told first.
      let revision = try GraphRevision(of: text, path: source, files: .audio, edits: edits)
      let moved = try GraphRevision.text(text, of: source, movedTo: target)
      guard target != source else { return revision }
      return try GraphRevision(of: moved, path: target, files: .audio, edits: edits)
    } catch {
      Terminal.complain(lines: "\(error)\nerror: nothing is written")
      throw ExitCode.badData
    }
  }

  private func write(_ revision: GraphRevision, from source: String, to target: String) throws {
    guard !revision.made.isEmpty || source != target else {
      return Terminal.say("\(target): nothing to save")
    }
    try GraphWriting.write(revision.text, to: target)
    for edit in revision.made { Terminal.say("\(Self.name(edit.path)): \(edit.text)") }
    Terminal.say("\(target): \(revision.made.count) values saved")
    guard file == nil, source != target else { return }
    Terminal.say("\(source) came with the package: 'multiroute run' plays \(target) from now on")
  }

  private static func name(_ path: [String]) -> String { path.joined(separator: ".") }
}
