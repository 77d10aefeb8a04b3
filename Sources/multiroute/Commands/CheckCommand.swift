// SPDX-License-Identifier: MIT

import ArgumentParser
import GraphFiles
import Host

/// `multiroute check GRAPH…`: all errors of graph files at once.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Validate graph files; exit status 0, or 65 when one has errors.",
  )

  @Argument(help: ArgumentHelp("Graph files.", valueName: "graph"))
  var graphs: [String]

  func run() throws {
    var hasErrors = false
    for path in graphs {
      do throws(GraphFileErrors) {
        let graph = try GraphFile.load(path: path, files: .audio)
        for line in graph.summary { Terminal.say(line) }
      } catch {
        hasErrors = true
        Terminal.complain(error.description)
      }
    }
    if hasErrors { throw ExitCode.badData }
  }
}
