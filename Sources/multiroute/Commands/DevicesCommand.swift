// SPDX-License-Identifier: MIT

import ArgumentParser
import GraphFiles
import Host
import Logging

/// `multiroute devices`: what can be a route.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract:
      "List cards and JACK ports that can be routes, what a graph does with them, and routes to paste.",
  )

  @Argument(help: ArgumentHelp("A graph file to judge by.", valueName: "graph"))
  var path: String?

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    Log.begin(at: .error)
    var graph: GraphFile?
    if let path {
      do throws(GraphFileErrors) {
        graph = try GraphFile.load(path: path)
      } catch {
        Terminal.complain(error.description)
        throw ExitCode.badData
      }
    }
    let survey = DeviceSurvey(graph: graph, server: server ?? graph?.server.name)
    if json {
      Terminal.say(try JSONLine.text(survey))
    } else {
      for line in DeviceLines.lines(survey) { Terminal.say(line) }
    }
  }
}
