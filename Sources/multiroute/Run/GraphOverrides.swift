// SPDX-License-Identifier: MIT

public import ArgumentParser
import CommandSupport
public import GraphFiles

/// The flags that override values of a graph file.
///
/// Pure value: [any-thread].
struct GraphOverrides: ParsableArguments {
  @Option(help: "The name of the JACK client and of the control socket.")
  var name: String?

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "The driver of a server that the host starts: automatic, alsa, dummy, …")
  var driver: GraphFile.Server.Driver?

  @Option(
    help: ArgumentHelp("The preferred sample rate, such as 48kHz.", valueName: "rate"),
    transform: QuantityArgument.wholeHertz,
  )
  var rate: Int?

  @Option(help: ArgumentHelp("The preferred I/O buffer.", valueName: "frames"))
  var frames: Int?

  @Flag(name: .customLong("no-start-server"), help: "Never start a JACK server.")
  var neverStartsServer = false

  @Option(
    name: .customLong("osc"),
    defaultAsFlag: GraphFile.Surfaces.OSC().port,
    help: ArgumentHelp(
      "Serve all parameters over OSC, on this port of UDP and TCP (9000); 0 for any free one.",
      valueName: "port",
    )
  )
  var oscPort: Int?

  @Option(
    name: .customLong("oscquery"),
    defaultAsFlag: GraphFile.Surfaces.OSCQuery().port,
    help: ArgumentHelp(
      "Serve all parameters over OSCQuery, on this port of HTTP (9001); 0 for any free one.",
      valueName: "port",
    )
  )
  var oscqueryPort: Int?

  @Option(
    name: .customLong("web"),
    defaultAsFlag: GraphFile.Surfaces.Web().port,
    help: ArgumentHelp(
      "Serve the mixer as a page for browsers, on this port of HTTP (8080).",
      valueName: "port",
    )
  )
  var webPort: Int?

  @Flag(
    help:
      "Let other machines reach OSCQuery and the page, with the token of the address that is printed."
  )
  var lan = false

  @Option(
    help: ArgumentHelp(
      "An ALSA device that stands in for those of routes, on a machine without sound cards.",
      valueName: "device",
    )
  )
  var standIn: String?

  /// Changes the graph.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - tells: Whether standard error has a line for each device that another one stands in for.
  /// - Throws: A usage error for `--lan` without a surface.
  func apply(to graph: inout GraphFile, tells: Bool = true) throws(ValidationError) {
    if let name { graph.name = name }
    if let server { graph.server.name = server }
    if let driver { graph.server.driver = driver }
    if neverStartsServer { graph.server.start = .never }
    if let rate { graph.session.preferred.sampleRateHz = rate }
    if let frames { graph.session.preferred.ioBuffer = .frames(frames) }
    if let oscPort {
      graph.surfaces.osc = graph.surfaces.osc ?? GraphFile.Surfaces.OSC()
      graph.surfaces.osc?.port = oscPort
    }
    if let oscqueryPort {
      graph.surfaces.oscquery = graph.surfaces.oscquery ?? GraphFile.Surfaces.OSCQuery()
      graph.surfaces.oscquery?.port = oscqueryPort
    }
    if let webPort {
      graph.surfaces.web = graph.surfaces.web ?? GraphFile.Surfaces.Web()
      graph.surfaces.web?.port = webPort
    }
    if let standIn { replaceDevices(of: &graph, by: standIn, tells: tells) }
    if lan {
      guard graph.surfaces.oscquery != nil || graph.surfaces.web != nil else {
        throw ValidationError("--lan has no surface to open; add --web or --oscquery")
      }
      graph.surfaces.oscquery?.lan = true
      graph.surfaces.web?.lan = true
    }
  }

  private func replaceDevices(of graph: inout GraphFile, by standIn: String, tells: Bool) {
    for index in graph.routes.indices {
      guard case .device(var device) = graph.routes[index].helper else { continue }
      if tells {
        Terminal.complain(
          "no sound card here: the ALSA device \"\(standIn)\", with a clock of its own, stands in for "
            + "\"\(device.name)\" of route '\(graph.routes[index].name)'"
        )
      }
      device.name = standIn
      graph.routes[index].helper = .device(device)
    }
  }

  /// Changes another version of the graph, as ``apply(to:)`` has changed the first.
  func applyAgain(to graph: inout GraphFile) {
    // Without a surface there is nothing for --lan to open, in a version that has lost them.
    try? apply(to: &graph, tells: false)
  }

  func validate() throws {
    if let rate, !(8000...768_000).contains(rate) {
      throw ValidationError("--rate \(rate) is out of range; allowed: 8000 to 768000 Hz")
    }
    if let oscPort, !(0...65_535).contains(oscPort) {
      throw ValidationError("--osc \(oscPort) is out of range; allowed: 0 (any free port) to 65535")
    }
    if let oscqueryPort, !(0...65_535).contains(oscqueryPort) {
      throw ValidationError(
        "--oscquery \(oscqueryPort) is out of range; allowed: 0 (any free port) to 65535"
      )
    }
    if let webPort, !(0...65_535).contains(webPort) {
      throw ValidationError("--web \(webPort) is out of range; allowed: 0 (any free port) to 65535")
    }
    let sizes = GraphFile.Session.Preferred.frameLimits
    if let frames, !sizes.contains(frames) {
      throw ValidationError(
        "--frames \(frames) is out of range; allowed: \(sizes.lowerBound) to \(sizes.upperBound)"
      )
    }
    if let name, name.isEmpty || name.utf8.count > 63 || name.contains(where: ":/ ".contains) {
      throw ValidationError(
        "--name '\(name)' is not a client name; allowed: 1 to 63 bytes without ':', '/' and blank"
      )
    }
  }
}

extension GraphFile.Server.Driver: ExpressibleByArgument {}
