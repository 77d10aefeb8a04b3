// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import Glibc
internal import GraphFiles

/// The program that makes a route's ports, and how it is called.
struct HelperProgram: Sendable, Equatable {
  /// The key of the graph file.
  let kind: String
  /// The program's name, for people.
  let name: String
  /// The Debian package that brings it; nil for a part of this program.
  let package: String?
  /// The words of the command line, the program's name or path first.
  let words: [String]

  /// How the helper of a route is called.
  ///
  /// - Parameters:
  ///   - helper: What the graph asks for.
  ///   - direction: Of the route.
  ///   - client: The name of its JACK client.
  ///   - server: The name of the JACK server.
  init(
    _ helper: GraphFile.Route.Helper,
    direction: GraphFile.Route.Direction,
    client: String,
    server: String,
  ) {
    switch helper {
    case .device(let device):
      kind = "device"
      name = "multiroute bridge"
      package = nil
      words = ["/proc/self/exe"] + Self.words(device, direction, client, server)
    case .njbridge(let bridge):
      kind = "njbridge"
      name = direction == .output ? "zita-j2n" : "zita-n2j"
      package = "zita-njbridge"
      words = [name] + Self.words(bridge, direction, client, server)
    case .jacktrip(let trip):
      kind = "jacktrip"
      name = "jacktrip"
      package = "jacktrip"
      words = [name] + Self.words(trip, client)
    }
  }

  private static func words(
    _ device: GraphFile.Route.Device,
    _ direction: GraphFile.Route.Direction,
    _ client: String,
    _ server: String,
  ) -> [String] {
    var words = [
      "bridge", "--device", device.name, direction == .output ? "--playback" : "--capture",
      "--channels", "\(device.channels)", "--name", client, "--server", server, "--json",
    ]
    if let rate = device.sampleRateHz { words += ["--rate", "\(rate)"] }
    if let frames = device.periodFrames { words += ["--frames", "\(frames)"] }
    if let periods = device.periods { words += ["--periods", "\(periods)"] }
    let slackMilliseconds = device.slackDuration.seconds * 1000
    if slackMilliseconds > 0 { words += ["--slack", "\(slackMilliseconds)"] }
    return words
  }

  private static func words(
    _ bridge: GraphFile.Route.NJBridge,
    _ direction: GraphFile.Route.Direction,
    _ client: String,
    _ server: String,
  ) -> [String] {
    var words = ["--jname", client, "--jserv", server]
    if direction == .output {
      let format =
        switch bridge.samples {
        case .pcm16: "--16bit"
        case .pcm24: "--24bit"
        case .float32: "--float"
        }
      words += ["--chan", "\(bridge.channels)", format]
    } else {
      let channels = (1...bridge.channels).map(String.init).joined(separator: ",")
      let milliseconds = Int((bridge.bufferDuration.seconds * 1000).rounded())
      words += ["--chan", channels, "--buff", "\(milliseconds)"]
    }
    return words + [bridge.address, "\(bridge.port)"]
  }

  private static func words(_ trip: GraphFile.Route.JackTrip, _ client: String) -> [String] {
    (trip.address.map { ["-c", $0] } ?? ["-s"]) + [
      "-n", "\(trip.channels)", "-q", "\(trip.queuePackets)", "-r", "\(trip.redundancy)",
      "-b", "\(trip.bits)", "-B", "\(trip.port)", "-P", "\(trip.peerPort)", "-J", client, "-D",
    ]
  }

  /// The path of the program to run; nil where it is not installed.
  var path: String? {
    let program = words[0]
    if program == "/proc/self/exe" {
      return try? FileManager.default.destinationOfSymbolicLink(atPath: program)
    }
    let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
