// SPDX-License-Identifier: MIT

public import ArgumentParser
import CommandSupport
import Console
public import ControlProtocol
import ControlSocket
import GraphFiles

/// `multiroute meters`: shows the levels of a running host.
struct MetersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meters",
    abstract: "Show the levels of strips and routes of a running host.",
    discussion: """
      A strip shows its level at the tap that its 'meter' in the graph file names: 'post' behind fader, mute, \
      crossfader, duck and gate, or 'pre' before all of them, marked (pre). JSON has both.
      """,
  )

  /// The time for which a single reading waits, in case the host loses its server.
  private static let limit = Duration.seconds(5)

  @OptionGroup var host: HostOption

  @Option(help: "The tap of all strips, whatever the graph file says: pre or post.")
  var tap: MeterTap?

  @Option(
    help: ArgumentHelp(
      "The time that a reading covers, 20ms to 1s; 1s when left out, 80ms for live meters.",
      valueName: "duration",
    ),
    transform: QuantityArgument.milliseconds,
  )
  var interval: Double?

  @Flag(
    help: "Go on until interrupted: live meters on a terminal, a line for each reading elsewhere."
  )
  var watch = false

  @Flag(help: "Print a reading as one line, as into a pipe.")
  var plain = false

  @Flag(help: "Print one JSON object for each reading, with both taps.")
  var json = false

  /// Whether meters are redrawn in place.
  private var isLive: Bool { watch && !json && !plain && Terminal.isInteractive }

  private var intervalMilliseconds: Int {
    Int((interval ?? (isLive ? 80 : 1_000)).rounded())
  }

  func validate() throws {
    if let interval, !(20...1_000).contains(interval.rounded()) {
      throw ValidationError(
        "--interval \(interval.graphText)ms is out of range; allowed: 20ms to 1s"
      )
    }
  }

  func run() async throws {
    try await host.withClient { client in
      guard try await client.call(GetStatus.self).server.state == .running else {
        return try complainAboutServer()
      }
      _ = try await client.call(
        Subscribe.self,
        Subscribe.Params(topics: [.meters], metersIntervalMilliseconds: intervalMilliseconds),
      )
      if watch { try await show(from: client) } else { try await showOnce(from: client) }
    }
  }

  private func show(from client: ControlClient) async throws {
    let lines = MeterLines()
    var view = MeterView()
    for await case .meters(let meters) in client.notifications {
      if isLive {
        lines.redraw(view.lines(meters, style: Terminal.style, tap: tap))
      } else {
        try say(meters)
      }
    }
  }

  private func showOnce(from client: ControlClient) async throws {
    let limit = Task {
      try await Task.sleep(for: Self.limit)
      await client.close()
    }
    defer { limit.cancel() }
    var isFirst = true
    for await case .meters(let meters) in client.notifications {
      // The first reading covers the time before, in which the host may have metered less: nobody watched.
      if isFirst {
        isFirst = false
        continue
      }
      if json || plain { return try say(meters) }
      var view = MeterView()
      var style = Terminal.style
      style.rows = .max
      for line in view.lines(meters, style: style, tap: tap) { Terminal.say(line) }
      return
    }
    try complainAboutServer()
  }

  private func say(_ meters: Meters) throws {
    if json { return try Terminal.say(json: meters) }
    Terminal.say(MeterView.plainLine(meters, tap: tap))
  }

  private func complainAboutServer() throws {
    Terminal.complain("error: the host has no levels: it is not attached to a JACK server now")
    throw ExitCode.unavailable
  }
}

extension MeterTap: ExpressibleByArgument {}
