// SPDX-License-Identifier: MIT

public import ArgumentParser
public import GraphFiles

/// The flags that override what a graph file says.
struct GraphOverrides: ParsableArguments {
  @Option(help: "The name of the JACK client and of the control socket.")
  var name: String?

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "The driver of a server that the host starts: automatic, alsa, dummy, …")
  var driver: GraphFile.Server.Driver?

  @Option(help: ArgumentHelp("The preferred sample rate.", valueName: "hertz"))
  var rate: Int?

  @Option(help: ArgumentHelp("The preferred I/O buffer.", valueName: "frames"))
  var frames: Int?

  @Flag(name: .customLong("no-start-server"), help: "Never start a JACK server.")
  var neverStartsServer = false

  @Option(
    help: ArgumentHelp(
      "An ALSA device that stands in for those of routes, on a machine without sound cards.",
      valueName: "device",
    )
  )
  var standIn: String?

  /// Changes the graph.
  func apply(to graph: inout GraphFile) throws {
    if let name { graph.name = name }
    if let server { graph.server.name = server }
    if let driver { graph.server.driver = driver }
    if neverStartsServer { graph.server.start = .never }
    if let rate { graph.session.preferred.sampleRateHz = rate }
    if let frames { graph.session.preferred.ioBuffer = .frames(frames) }
    if let standIn {
      for index in graph.routes.indices {
        guard case .device(var device) = graph.routes[index].helper else { continue }
        Terminal.complain(
          "no sound card here: the ALSA device \"\(standIn)\", with a clock of its own, stands in for "
            + "\"\(device.name)\" of route '\(graph.routes[index].name)'"
        )
        device.name = standIn
        graph.routes[index].helper = .device(device)
      }
    }
  }

  func validate() throws {
    if let rate, !(8000...768_000).contains(rate) {
      throw ValidationError("--rate \(rate): allowed are 8000 to 768000 Hz")
    }
    if let frames, !(1...8192).contains(frames) {
      throw ValidationError("--frames \(frames): allowed are 1 to 8192")
    }
    if let name, name.isEmpty || name.utf8.count > 63 || name.contains(where: ":/ ".contains) {
      throw ValidationError("--name '\(name)': allowed are 1 to 63 bytes without ':', '/', blank")
    }
  }
}

extension GraphFile.Server.Driver: ExpressibleByArgument {}
