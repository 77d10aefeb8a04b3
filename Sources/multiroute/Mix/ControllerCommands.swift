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
  @Argument(help: "The parameter's path, as 'list' shows it.", completion: LiveNames.paths)
  var path: String
  @Option(
    help: ArgumentHelp(
      "Hear this controller alone: its name in the graph, or words of its device's.",
      valueName: "device",
    )
  )
  var device: String?
  @Flag(help: "Forget what was learned for the parameter.") var forget = false
  @Option(
    help: ArgumentHelp("The time to wait for a control (default: 30s).", valueName: "duration"),
    transform: QuantityArgument.milliseconds,
  )
  var timeout: Double = 30_000

  func run() async throws {
    let params = LearnControl.Params(
      parameter: path,
      device: device,
      forget: forget,
      timeoutMilliseconds: timeout,
    )
    let result = try await host.withClient { client in
      if !forget {
        // A path without a parameter is refused before anybody is asked to move something.
        _ = try await client.call(ListParameters.self, ListParameters.Params(path: path))
        Terminal.complain("move a control\(device.map { " of \($0)" } ?? "") now, for \(path)")
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
    } else if let device = result.device, let line = result.line {
      Terminal.complain(
        "learned, and kept for '\(device)'; in the graph it is a line of 'map' of a controller with this 'device':"
      )
      Terminal.say(line)
    }
  }
}

/// `multiroute controllers`: lists the MIDI controllers of the graph.
struct ControllersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "controllers",
    abstract:
      "List the MIDI controllers of a running host's graph, others that are plugged in, and what each has sent last.",
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
    if !rows.isEmpty {
      for line in table.lines(width: Terminal.columns) { Terminal.say(line) }
    }
    for device in listed.unknown { for line in Self.lines(device) { Terminal.say(line) } }
    if rows.isEmpty, listed.unknown.isEmpty {
      Terminal.complain("no MIDI controller is plugged in")
    }
    for controller in listed.controllers {
      for line in controller.learned { Terminal.say("\(controller.name) has learned: \(line)") }
      for path in controller.missing {
        Terminal.complain("warning: \(controller.name): \(path) is not there now")
      }
    }
  }

  /// The lines about a device that the graph does not have: what it is, and what to do.
  private static func lines(_ controller: UnknownController) -> [String] {
    let device = controller.device
    var lines = ["'\(device)' is not in the graph"]
    if let control = controller.lastControl, let value = controller.lastValue {
      lines[0] += "; it sent last: \(control) = \(value)"
    }
    for learned in controller.learned { lines.append("  it has learned: \(learned)") }
    if let file = controller.mappingFile, let fit = controller.mappingFit {
      let why =
        switch fit {
        case .device: "is made for it"
        case .similar: "is made for a device of its family"
        case .controls: "has this control"
        }
      let entry = "controls: {midi: {box: {device: \"\(device)\", mapping: \(file)}}}"
      lines.append("  \(file) \(why); in the graph: \(entry)")
    }
    lines.append(
      controller.isHeard
        ? "  give a parameter a control of it: multiroute learn PATH --device \"\(device)\""
        : "  it is not heard; let the graph have 'controls: {midi: {}}'"
    )
    return lines
  }

  private func zip(_ control: String?, _ value: Int?) -> (String, Int)? {
    guard let control, let value else { return nil }
    return (control, value)
  }
}
