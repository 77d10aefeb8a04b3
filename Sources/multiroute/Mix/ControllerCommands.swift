// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import ControlSocket

/// `multiroute learn`: gives a parameter the control that is moved next.
struct LearnCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract: "Move a control of a MIDI controller to give it a parameter of a running host.",
    discussion: """
      Example: multiroute learn /strip/deck-a/gain. Turn an encoder both ways. The control works at once and after \
      restarts; the printed line gives it to the graph.
      """,
  )
  @OptionGroup var host: HostOption
  @Argument(help: "The parameter's path, as 'list' shows it.") var path: String
  @Flag(help: "Forget what was learned for the parameter.") var forget = false
  @Option(
    help: ArgumentHelp("The time to wait for a control (default: 30s).", valueName: "duration"),
    transform: QuantityArgument.milliseconds,
  )
  var timeout: Double = 30_000

  func run() async throws {
    let params = LearnControl.Params(
      parameter: path,
      forget: forget,
      timeoutMilliseconds: timeout,
    )
    let result = try await host.withClient { client in
      if !forget {
        // A path without a parameter is refused before anybody is asked to move something.
        _ = try await client.call(ListParameters.self, ListParameters.Params(path: path))
        Terminal.complain("move a control now, for \(path)")
      }
      return try await client.call(
        LearnControl.self,
        params,
        // The host's own answer comes first.
        timeout: .milliseconds(Int(timeout)) + .seconds(5),
      )
    }
    if let controller = result.controller, let line = result.line {
      Terminal.complain(
        "learned; in the graph it is a line of 'map' in controls.midi.\(controller):"
      )
      Terminal.say(line)
    }
  }
}

/// `multiroute controllers`: lists the MIDI controllers of the graph.
struct ControllersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controllers",
    abstract: "List the MIDI controllers of a running host's graph, and what each has sent last.",
  )
  @OptionGroup var host: HostOption
  @Flag(help: "Print one JSON object for each controller.") var json = false

  func run() async throws {
    let listed = try await host.withClient { try await $0.call(ListControllers.self) }
    if json {
      for controller in listed.controllers { try Terminal.say(json: controller) }
      return
    }
    let rows = listed.controllers.map { controller in
      [
        controller.name,
        controller.device ?? "not plugged in (\(controller.lookedFor))",
        controller.mappingFile ?? "–",
        "\(controller.mappings)",
        zip(controller.lastControl, controller.lastValue).map { "\($0) = \($1)" } ?? "–",
      ]
    }
    let table = Table(
      ["controller", "device", "mapping", "controls", "last sent"],
      wordColumns: 3,
      rows: rows
    )
    for line in table.lines() { Terminal.say(line) }
    for controller in listed.controllers {
      for line in controller.learned { Terminal.say("\(controller.name) has learned: \(line)") }
      for path in controller.missing {
        Terminal.complain("warning: \(controller.name): \(path) is not there now")
      }
    }
  }

  private func zip(_ control: String?, _ value: Int?) -> (String, Int)? {
    guard let control, let value else { return nil }
    return (control, value)
  }
}
