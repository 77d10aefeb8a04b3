// SPDX-License-Identifier: MIT

import CRealtime
import Glibc
import OSC
import Synchronization
import SystemSupport

/// A thread that sends OSC messages at a steady rate, as so many calls of oscsend would. [any-thread]
final class FloodSender: Sendable {
  /// The host's port.
  let hostPort: Int

  private let addresses: [String]
  private let messagesPerSecond: Int
  private let isStopping = Atomic(false)
  private let isRunning = Atomic(false)
  private let sent = Atomic<Int>(0)

  /// Makes a sender, which sends nothing before it is started.
  ///
  /// - Parameters:
  ///   - addresses: The OSC addresses of gains, one after the other.
  ///   - messagesPerSecond: The rate over all of them.
  ///   - hostPort: The host's port.
  init(to addresses: [String], messagesPerSecond: Int, hostPort: Int) {
    self.addresses = addresses
    self.messagesPerSecond = messagesPerSecond
    self.hostPort = hostPort
  }

  /// The messages that were sent.
  var count: Int { sent.load(ordering: .acquiring) }

  /// The last value of each address.
  var lastValues: [String: Double] {
    let count = count
    let last = (max(0, count - addresses.count)..<count)
      .map { (addresses[$0 % addresses.count], Self.value(ofMessage: $0)) }
    return Dictionary(last) { $1 }
  }

  /// Starts to send.
  ///
  /// - Throws: ``LabError`` `tool` without a thread or a port.
  func start() throws(LabError) {
    do throws(OSCError) {
      let peer = try OSCPeer { _ in }
      isRunning.store(true, ordering: .releasing)
      let hasThread = BackgroundThread.start(name: "osc-flood") { [self] in
        run(peer)
        isRunning.store(false, ordering: .releasing)
      }
      guard hasThread else {
        isRunning.store(false, ordering: .releasing)
        throw OSCError("the system has no thread to send OSC from")
      }
    } catch {
      throw LabError(.tool, error.description)
    }
  }

  /// Ends to send, and waits until the last message is out.
  ///
  /// - Throws: ``LabError`` `cancelled`.
  func stop() async throws(LabError) {
    isStopping.store(true, ordering: .releasing)
    while isRunning.load(ordering: .acquiring) { try await LabError.sleep(.milliseconds(1)) }
  }

  private func run(_ peer: OSCPeer) {
    let host = "osc.udp://127.0.0.1:\(hostPort)/"
    let start = realtime_now_nanoseconds()
    var number = 0
    while !isStopping.load(ordering: .acquiring) {
      let elapsed = Double(realtime_now_nanoseconds() - start) / 1e9
      let due = Int(elapsed * Double(messagesPerSecond))
      while number < due {
        let value = OSCValue.float(Float(Self.value(ofMessage: number)))
        guard (try? peer.send(addresses[number % addresses.count], [value], to: host)) != nil else {
          return
        }
        number += 1
        sent.store(number, ordering: .releasing)
      }
      // The messages of a millisecond leave together.
      usleep(1_000)
    }
  }

  /// A gain in dB that differs from that of the messages around it: −60 to −10.
  private static func value(ofMessage number: Int) -> Double {
    -60 + Double(number % 5_001) / 100
  }
}
