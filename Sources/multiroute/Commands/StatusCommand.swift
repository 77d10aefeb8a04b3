// SPDX-License-Identifier: MIT

import ArgumentParser
import Console
import ControlProtocol
import ControlSocket
import Glibc

/// `multiroute status`: the state of a running host.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show hardware, routes, strips, sessions, xruns and load of a running host.",
  )

  @OptionGroup var host: HostOption

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print again at every event, and once a second, until interrupted.")
  var watch = false

  func run() async throws {
    try await host.withClient { client in
      try await show(client)
      guard watch else { return }
      _ = try await client.call(Subscribe.self, Subscribe.Params(topics: [.events]))
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for await _ in client.notifications { try await show(client) }
        }
        group.addTask {
          while true {
            try await Task.sleep(for: .seconds(1))
            try await show(client)
          }
        }
        defer { group.cancelAll() }
        do {
          try await group.next()
        } catch let error as ControlClientError where error.code == .connectionClosed {
          // The host has ended, and with it what there is to watch.
        }
      }
    }
  }

  private func show(_ client: ControlClient) async throws {
    let status = try await client.call(GetStatus.self)
    if json {
      Terminal.say(try JSONLine.text(status))
    } else {
      if watch && Terminal.isInteractive { Terminal.say("\u{1B}[H\u{1B}[2J") }
      let lines = StatusView.lines(status, monotonicNanoseconds: Self.monotonicNanoseconds())
      for line in lines { Terminal.say(line) }
    }
  }

  private static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
