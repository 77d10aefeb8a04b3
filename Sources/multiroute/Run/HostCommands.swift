// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import ControlSocket
import Glibc
import GraphFiles
import Host
import UnixSignals

/// `multiroute status`: shows the state of a running host.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show hardware, routes, strips, sessions, xruns and load of a running host.",
    discussion: """
      With --wait in a script, the commands after it find a host that plays. Example: multiroute run g.yaml & multiroute status --wait
      """,
  ).parsedAlone(under: "multiroute")

  @OptionGroup var host: HostOption

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Show the state again at every event, and once a second, until interrupted.")
  var watch = false

  @Flag(
    help: "With --watch: print line after line, as into a pipe, instead of redrawing the screen."
  )
  var plain = false

  @Flag(help: "Wait first until the host plays, also for one that is still to be started.")
  var wait = false

  @Option(
    help: ArgumentHelp("With --wait: the longest wait (default: 60s).", valueName: "duration"),
    transform: QuantityArgument.seconds,
  )
  var timeout: Double = 60

  func run() async throws {
    if wait {
      let wait = HostWait(address: host.address, limit: .seconds(timeout))
      try await host.reporting { try await wait.finish() }
    }
    guard watch else {
      return try await host.withClient { client in try show(try await client.call(GetStatus.self)) }
    }
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    // The screen belongs to this task; signals end the watch in order, so that the terminal is given back.
    let screen = json || plain || !Terminal.isInteractive ? nil : WatchScreen()
    defer { screen?.close() }
    try await host.withClient(subscribingTo: [.events]) { client in
      let moments = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for await _ in client.notifications { moments.continuation.yield() }
          moments.continuation.finish()
        }
        group.addTask {
          while true {
            try await Task.sleep(for: .seconds(1))
            moments.continuation.yield()
          }
        }
        group.addTask {
          for await _ in signals { break }
          moments.continuation.finish()
        }
        defer { group.cancelAll() }
        moments.continuation.yield()
        do {
          for await _ in moments.stream {
            let status = try await client.call(GetStatus.self)
            if let screen { draw(status, on: screen) } else { try show(status) }
          }
        } catch let error as ControlClientError where error.code == .connectionClosed {
          // The host has ended, and so has the watch.
        }
      }
    }
  }

  private func show(_ status: HostStatus) throws {
    if json { return try Terminal.say(json: status) }
    let lines = StatusView.lines(
      status,
      monotonicNanoseconds: Self.monotonicNanoseconds(),
      width: plain ? nil : Terminal.columns,
    )
    for line in lines { Terminal.say(line) }
  }

  private func draw(_ status: HostStatus, on screen: WatchScreen) {
    let now = Self.monotonicNanoseconds()
    screen.draw { StatusView.watched(status, monotonicNanoseconds: now, style: $0) }
  }

  private static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// `multiroute check GRAPH…`: prints all errors of graph files at once.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Validate graph files; exit status 0, or 65 when one has errors.",
  )

  @Argument(
    help: ArgumentHelp("Graph files.", valueName: "graph"),
    completion: .file(extensions: ["yaml"]),
  )
  var graphs: [String]

  func run() throws {
    var hasErrors = false
    for path in graphs {
      do throws(GraphFileErrors) {
        let graph = try GraphFile.load(path: path, files: .audio)
        for line in graph.summary { Terminal.say(line) }
      } catch {
        hasErrors = true
        Terminal.complain(lines: error.description)
      }
    }
    if hasErrors { throw ExitCode.badData }
  }
}

/// `multiroute guard`: the process that keeps adopted clients audible when the host dies.
struct GuardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guard",
    abstract: "Connect adopted clients to the hardware when the host dies (the host starts it).",
    discussion: """
      Reads its orders from standard input, which must be a socket of the host. Ends with the host. \
      When the host has died, it ends as soon as a host of that name is back.
      """,
  )

  @Option(help: "The host's name.")
  var host: String

  func run() async throws {
    await GuardProcess.run(host: host)
  }
}
