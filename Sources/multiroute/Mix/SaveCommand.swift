// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import ControlSocket
import GraphFiles
import Host
import SystemSupport

/// `multiroute save`: writes the mix of a running host into its graph file.
struct SaveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Write what was mixed by hand on a running host into its graph file.",
    discussion: """
      Comments, order and style of the file stay as they are. Lists on standard error what a graph file has no place for. Example: \
      multiroute save --diff
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
    guard let target = file ?? (isPassing ? nil : found.graph) else {
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
    let (text, revision) = try Self.revise(source, edits)
    for edit in revision.leftOut {
      Terminal.complain(
        "left out: \(Self.name(edit.path)): \(edit.text), which \(source) has no place for"
      )
    }
    if diff {
      let lines = UnifiedDiff.text(from: text, to: revision.text, path: source, newPath: target)
      return Terminal.isInteractive ? Terminal.say(lines: lines) : Terminal.draw(lines)
    }
    try write(revision, from: source, to: target)
  }

  /// Reads the graph file as it is now, and changes its text.
  private static func revise(
    _ path: String,
    _ edits: [GraphEdit],
  ) throws -> (text: String, revision: GraphRevision) {
    do throws(GraphFileErrors) {
      let text = try GraphFile.text(ofFile: path)
      do throws(GraphRevisionFault) {
        return (text, try GraphRevision(of: text, path: path, files: .audio, edits: edits))
      } catch {
        Terminal.complain(lines: "\(error)\nerror: nothing is written")
      }
    } catch {
      Terminal.complain(lines: "\(error)\nerror: nothing is written")
    }
    throw ExitCode.badData
  }

  private func write(_ revision: GraphRevision, from source: String, to target: String) throws {
    guard !revision.made.isEmpty || source != target else {
      return Terminal.say("\(target): nothing to save")
    }
    do throws(FileReplacement.Fault) {
      try FileReplacement.replace(target, with: Array(revision.text.utf8))
    } catch {
      Terminal.complain("error: nothing is written: \(error)")
      throw ExitCode.cannotCreate
    }
    for edit in revision.made { Terminal.say("\(Self.name(edit.path)): \(edit.text)") }
    Terminal.say("\(target): \(revision.made.count) values saved")
    do throws(GraphFileErrors) {
      _ = try GraphFile.load(path: target, files: .audio)
    } catch {
      Terminal.complain(
        lines: "warning: relative paths begin in the folder of a graph file\n\(error)"
      )
    }
  }

  private static func name(_ path: [String]) -> String { path.joined(separator: ".") }
}
