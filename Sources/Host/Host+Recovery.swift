// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Logging

extension Host {
  /// How long the host waits between two attempts to find its server again.
  private static let retryNanoseconds: UInt64 = 50_000_000

  /// The server is gone: says so, and begins to look for it.
  func serverLost(_ reason: String) {
    startOver("the JACK server \"\(server.name)\" is gone (\(reason)); the host comes back with it")
  }

  /// Attaches anew when a client has been put to sleep for ever.
  func watchClients() {
    guard let presence, let times = try? presence.mix.cycleTimes else { return }
    // Those that wait for nobody: the others hang with a node that is stopped.
    let outlets = presence.inserts.compactMap(\.outlet?.connection)
    let clients = [presence.mix, presence.sources].compactMap { $0 } + outlets
    let isStalled = processWatch.isStalled(
      cycles: clients.map(\.processStatistics.cycles),
      frame: times.frame,
      periodFrames: hardware.bufferFrames,
      nowNanoseconds: HostClock.nowNanoseconds(),
    )
    guard isStalled else { return }
    startOver("the JACK server \"\(server.name)\" calls the host no more; the host attaches anew")
  }

  private func startOver(_ message: String) {
    guard phase == .running, presence != nil else { return }
    leave(for: .lost)
    serverIsLost(message)
  }

  /// Forgets what belongs to the server that is being left.
  func leave(for next: ServerState) {
    phase = next
    counts.cyclesBefore += presence?.mix.processStatistics.cycles ?? 0
    keeper.serverLost()
    availability.removeAll()
    processWatch = ProcessWatch()
  }

  /// Ends what the server's end ends, tells everybody, and begins to look for it.
  func serverIsLost(_ message: String) {
    endSessions()
    publish(.serverLost, message, details: ["server": .string(server.name)])
    attachment = Task { await self.comeBack() }
  }

  /// Closes what is left of the old server, and attaches again as soon as one answers.
  private func comeBack() async {
    endCaptures()
    presence?.close()
    presence = nil
    var lastComplaint: String?
    while !Task.isCancelled, phase == .lost {
      do throws(HostError) {
        try await attach()
        counts.restarts += 1
        let attachNanoseconds = HostClock.nowNanoseconds() - server.answeredNanoseconds
        publish(
          .serverBack,
          "attached to the JACK server \"\(server.name)\" again",
          details: [
            "server": .string(server.name),
            "sampleRateHz": .integer(Int64(hardware.sampleRateHz)),
            "bufferFrames": .integer(Int64(hardware.bufferFrames)),
            "attachMilliseconds": .number(Double(attachNanoseconds) / 1e6),
          ],
        )
        return
      } catch {
        if lastComplaint != error.description {
          lastComplaint = error.description
          logger.notice("\(error)")
        }
      }
      try? await Task.sleep(nanoseconds: Self.retryNanoseconds)
    }
  }

  /// The server runs at another rate (PipeWire changes it in mid-run): everything is made anew.
  func sampleRateChanged(_ hz: UInt32) {
    guard phase == .running, Int(hz) != hardware.sampleRateHz else { return }
    publish(.hardwareChanged, "the server's sample rate is \(hz) Hz now")
    if Int(hz) == wish.sampleRateHz, Int(hz) != preference.sampleRateHz {
      // PipeWire does as a session wished, if late.
      afterHardwareWork { host in
        guard host.phase == .running else { return }
        await host.attachAnew()
      }
      return
    }
    startOver("the JACK server \"\(server.name)\" has another rate; the host attaches anew")
  }
}
