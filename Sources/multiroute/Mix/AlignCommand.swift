// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket
import FoundationEssentials
import Logging
import Sessions

/// `multiroute align`: measures how much later one route is heard than another.
struct AlignCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "align",
    abstract: "Play clicks on two routes, listen with a microphone, and print the offset to enter.",
    discussion: """
      Put the microphone at the same distance from both. The clicks go through the running host, with the \
      delays that it has now. Example: multiroute align main headphones --microphone system:capture_1
      """,
  )

  @OptionGroup var host: HostOption
  @Argument(help: "A route.", completion: LiveNames.routes) var first: String
  @Argument(help: "Another route.", completion: LiveNames.routes) var second: String
  @Option(help: "An input route, or the JACK port of a microphone.") var microphone: String
  @Option(help: "The number of clicks on each.") var repetitions = 5
  @Flag(help: "Print JSON.") var json = false

  /// The result of a measurement.
  struct Result: Codable {
    let firstDelayFrames: Double
    let secondDelayFrames: Double
    let offsetMilliseconds: Double
    /// The route to delay.
    let route: String
    /// The delay to enter there.
    let alignMilliseconds: Double
  }

  func validate() throws {
    guard first != second else { throw ValidationError("the two routes must differ") }
    guard (1...100).contains(repetitions) else {
      throw ValidationError("--repetitions \(repetitions) is out of range; allowed: 1 to 100")
    }
  }

  func run() async throws {
    Log.begin(at: .warning)
    try await host.withClient { client in
      let status = try await client.call(GetStatus.self)
      try check(status.routes)
      let rate = status.hardware.sampleRate.actual ?? 48_000
      let port =
        status.routes.first { $0.name == microphone && $0.direction == .input }?.ports.first
        ?? microphone
      let early = try await delayFrames(of: first, to: port, status, client)
      let late = try await delayFrames(of: second, to: port, status, client)
      try show(result(status, early, late, rate))
    }
  }

  /// Checks all names before anything is heard, so that a wrong name costs no seconds of clicks.
  private func check(_ routes: [RouteStatus]) throws {
    let outputs = routes.filter { $0.direction == .output }
    for name in [first, second] {
      guard let route = outputs.first(where: { $0.name == name }) else {
        let allowed = outputs.map(\.name).joined(separator: ", ")
        throw failure("there is no output route '\(name)'; allowed: \(allowed)")
      }
      guard route.available else {
        throw failure("route '\(name)' is not available: its ports are missing")
      }
    }
    let inputs = routes.filter { $0.direction == .input }.map(\.name)
    guard inputs.contains(microphone) || microphone.contains(":") else {
      let allowed = inputs.isEmpty ? "" : " or one of \(inputs.joined(separator: ", "))"
      throw failure("--microphone \(microphone) is not a port; allowed: a JACK port\(allowed)")
    }
  }

  private func failure(_ fault: String) -> ExitCode {
    Terminal.complain("error: \(fault)")
    return .badData
  }

  private func result(
    _ status: HostStatus,
    _ firstFrames: Double,
    _ secondFrames: Double,
    _ rate: Double,
  ) -> Result {
    let offset = secondFrames - firstFrames
    let route = offset > 0 ? first : second
    let present = status.routes.first { $0.name == route }?.delayFrames ?? 0
    return Result(
      firstDelayFrames: firstFrames,
      secondDelayFrames: secondFrames,
      offsetMilliseconds: offset / rate * 1000,
      route: route,
      alignMilliseconds: (Double(present) + abs(offset)) / rate * 1000,
    )
  }

  private func show(_ result: Result) throws {
    if json {
      try Terminal.say(json: result)
      return
    }
    // Adding 0 makes minus zero plain zero.
    func text(_ number: Double) -> String { String((number * 1000).rounded() / 1000 + 0) }
    Terminal.say("\(first): \(text(result.firstDelayFrames)) frames to the microphone")
    Terminal.say("\(second): \(text(result.secondDelayFrames)) frames to the microphone")
    let late = result.offsetMilliseconds > 0 ? second : first
    Terminal.say("\(late) is heard \(text(abs(result.offsetMilliseconds))) ms later")
    let delay = text(result.alignMilliseconds)
    Terminal.say("in the graph, at route \(result.route): align: \(delay) ms")
    Terminal.say("now: multiroute set align \(result.route) \(delay)ms")
  }

  /// The delay from a strip of its own through the route to the microphone.
  private func delayFrames(
    of route: String,
    to microphone: String,
    _ status: HostStatus,
    _ client: ControlClient,
  ) async throws -> Double {
    var session = OpenSession.Params(app: "align")
    session.category = .ambient
    // A client with this port does not exist: the probe connects itself to the strip.
    session.ports = ["align-probe:out"]
    session.channels = 1
    session.routes = [route]
    let opened = try await client.call(OpenSession.self, session)
    _ = try await client.call(ActivateSession.self, .init(session: opened.session))
    let measured: String
    do {
      measured = try await LabProgram.output(
        ["bench", "roundtrip", "\(status.host.name):\(opened.strip ?? "")_in_1", microphone]
          + ["--server", status.server.name]
          + ["--repetitions", "\(repetitions)", "--client-name", "multiroute-align"]
          + ["--json", "--no-progress"]
      )
    } catch {
      _ = try? await client.call(CloseSession.self, .init(session: opened.session))
      if let status = error as? ExitCode, status == .badData {
        complainOfSilence(route, microphone)
      }
      throw error
    }
    _ = try await client.call(CloseSession.self, .init(session: opened.session))
    guard let frames = Self.delayFrames(inReport: measured) else {
      complainOfSilence(route, microphone)
      throw ExitCode.badData
    }
    return frames
  }

  private func complainOfSilence(_ route: String, _ microphone: String) {
    Terminal.complain(
      "error: route '\(route)': no click was recognised at \(microphone); "
        + "is the microphone near, and the route loud enough?"
    )
  }

  /// The delay in the lab's report; nil when no click was recognised.
  private static func delayFrames(inReport text: String) -> Double? {
    struct Record: Decodable { var metrics: [String: Double] }
    for line in text.split(separator: "\n") {
      guard let record = try? JSONCoding.decoder().decode(Record.self, from: Data(line.utf8)) else {
        continue
      }
      return record.metrics["roundTrip.delay.frames"]
    }
    return nil
  }
}
