// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import FoundationEssentials
internal import Glibc
internal import GraphFiles
internal import JACK
internal import Logging
internal import SystemSupport

/// The program that makes a route's ports, and its command line.
///
/// Pure value: [any-thread].
struct HelperProgram: Sendable, Equatable {
  /// The kind of program.
  let kind: HelperStatus.Kind
  /// The program's name for people.
  let name: String
  /// The Debian package that contains it; nil for a part of this program.
  let package: String?
  /// The command line, with the program's name or path first.
  let commandLine: [String]

  /// Makes the command line of a route's helper.
  ///
  /// - Parameters:
  ///   - helper: The helper in the graph.
  ///   - direction: The route's direction.
  ///   - client: The name of its JACK client.
  ///   - server: The name of the JACK server.
  ///   - listener: The process whose clients alone hear what a bridge captures; nil for everybody.
  init(
    _ helper: GraphFile.Route.Helper,
    direction: GraphFile.Route.Direction,
    client: String,
    server: String,
    listener: Int32? = nil,
  ) {
    switch helper {
    case .device(let device):
      kind = .device
      name = "multiroute bridge"
      package = nil
      var arguments = Self.arguments(device, direction, client, server)
      if direction == .input, let listener { arguments += ["--listener", "\(listener)"] }
      commandLine = ["/proc/self/exe"] + arguments
    case .njbridge(let bridge):
      kind = .njbridge
      name = direction == .output ? "zita-j2n" : "zita-n2j"
      package = "zita-njbridge"
      commandLine = [name] + Self.arguments(bridge, direction, client, server)
    case .jacktrip(let trip):
      kind = .jacktrip
      name = "jacktrip"
      package = "jacktrip"
      commandLine = [name] + Self.arguments(trip, client)
    }
  }

  private static func arguments(
    _ device: GraphFile.Route.Device,
    _ direction: GraphFile.Route.Direction,
    _ client: String,
    _ server: String,
  ) -> [String] {
    var arguments = [
      "bridge", "--device", device.name, direction == .output ? "--playback" : "--capture",
      "--channels", "\(device.channels)", "--name", client, "--server", server, "--json",
    ]
    if let rate = device.sampleRateHz { arguments += ["--rate", "\(rate)"] }
    if let frames = device.periodFrames { arguments += ["--frames", "\(frames)"] }
    if let periods = device.periods { arguments += ["--periods", "\(periods)"] }
    let slackMilliseconds = device.slackDuration.seconds * 1000
    if slackMilliseconds > 0 { arguments += ["--slack", "\(slackMilliseconds)"] }
    return arguments
  }

  private static func arguments(
    _ bridge: GraphFile.Route.NJBridge,
    _ direction: GraphFile.Route.Direction,
    _ client: String,
    _ server: String,
  ) -> [String] {
    var arguments = ["--jname", client, "--jserv", server]
    if direction == .output {
      let format =
        switch bridge.samples {
        case .pcm16: "--16bit"
        case .pcm24: "--24bit"
        case .float32: "--float"
        }
      arguments += ["--chan", "\(bridge.channels)", format]
    } else {
      let channels = (1...bridge.channels).map(String.init).joined(separator: ",")
      let milliseconds = Int((bridge.bufferDuration.seconds * 1000).rounded())
      arguments += ["--chan", channels, "--buff", "\(milliseconds)"]
    }
    return arguments + [bridge.address, "\(bridge.port)"]
  }

  private static func arguments(_ trip: GraphFile.Route.JackTrip, _ client: String) -> [String] {
    (trip.address.map { ["-c", $0] } ?? ["-s"]) + [
      "-n", "\(trip.channels)", "-q", "\(trip.queuePackets)", "-r", "\(trip.redundancy)",
      "-b", "\(trip.bits)", "-B", "\(trip.port)", "-P", "\(trip.peerPort)", "-J", client, "-D",
    ]
  }

  /// The path of the program; nil if it is not installed.
  var path: String? {
    let program = commandLine[0]
    if program == "/proc/self/exe" {
      return Machine.this.executable(of: getpid())
    }
    return Machine.this.program(program)
  }
}

extension HelperProgram {
  /// Starts the program with its output in the log.
  ///
  /// - Parameters:
  ///   - route: The route's name, for the log.
  ///   - server: The JACK server's name.
  ///   - logger: Receives the program's output.
  ///   - report: Called on a thread of its own with a bridge's lines and with the program's end.
  /// - Returns: The process.
  /// - Throws: ``HelperFailure`` if it is not installed or the system does not start it.
  func start(
    for route: String,
    server: String,
    logger: Logger,
    report: @escaping @Sendable (HelperReport) -> Void,
  ) throws(HelperFailure) -> any HelperProcess {
    guard let path else {
      let hint = package.map { "; install it with `apt install \($0)`" } ?? ""
      throw HelperFailure(reason: "\(name) is not installed\(hint)")
    }
    var log = logger
    log[metadataKey: "helper"] = .string(route)
    let isBridge = kind == .device
    do throws(SystemError) {
      return try ChildProcess.start(
        path,
        Array(commandLine.dropFirst()),
        environment: ["JACK_DEFAULT_SERVER": server],
        bond: .bound,
        output: .lines { [log] line in
          log.debug("\(line)")
          if isBridge { report(.line(line)) }
        },
        errors: .lines { [log] in log.warning("\($0)") },
        onExit: { report(.ended($0)) },
      )
    } catch {
      throw HelperFailure(reason: "\(path) cannot be started: \(error.reason)")
    }
  }
}

extension ChildProcess: HelperProcess {
  /// Whether a signal has stopped it. [any-thread]
  var isStopped: Bool { Machine.this.state(of: pid) == .stopped }
}
