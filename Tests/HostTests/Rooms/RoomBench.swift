// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import Logging
import Synchronization

@testable import Host

/// The surroundings of a single room: a control thread, a clock that stands still until the test moves it, and a list of events.
///
/// There is no server: `control.attachment` is nil.
struct RoomBench: Sendable {
  /// A control without a server, for rooms that the test makes; used on the control thread only.
  final class Surroundings {
    let control: Control
    /// The events that were published since ``takeEvents()``.
    private(set) var events: [ControlEvent] = []

    fileprivate init(host: Host, clock: ManualClock) {
      let box = Box()
      control = Control(
        owner: host,
        thread: host.thread,
        clock: clock,
        logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() },
      ) { event in box.surroundings?.events.append(event) }
      box.surroundings = self
    }

    /// The messages of the events that were published since the last call.
    func takeMessages() -> [String] {
      defer { events.removeAll() }
      return events.map(\.message)
    }

    private final class Box { weak var surroundings: Surroundings? }
  }

  let host: Host
  let clock = ManualClock()

  init() throws {
    host = Host(
      configuration: HostConfiguration(
        graph: try GraphFile.parse("multiroute: 1\nname: bench\n", path: "bench.yaml")
      ),
      logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() },
      server: ScriptedServer(),
      clock: clock,
    )
  }

  /// Runs a test on the control thread.
  func run(_ test: @Sendable (Rooms, Surroundings) async throws -> Void) async throws {
    let clock = clock
    try await host.run { rooms in
      try await test(rooms, Surroundings(host: host, clock: clock))
    }
  }

  /// Moves the time.
  func advance(milliseconds: Int) { clock.advance(nanoseconds: UInt64(milliseconds) * 1_000_000) }
}

/// Lets work run that other threads have handed to the control thread before.
func handedOver() async { for _ in 0..<4 { await Task.yield() } }
