// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

@testable import EndToEndSupport

/// `multiroute bridge` on PipeWire's ALSA device: a real PCM with a clock of its own.
struct BridgeProcess {
  /// The part of a status line that tests read.
  struct Status: Decodable {
    let lock: String
    let device: String
    let server: String
    let reason: String?
    let deviceRateHz: Int?
    let jackRateHz: Int?
    let jackPeriodFrames: Int?
    let ppm: Double?
    let delayFrames: Double?
    let errorFrames: Double?
    let resyncs: Int
    let deviceLosses: Int
    let serverLosses: Int

    /// Whether sound passes.
    var hasSound: Bool { device == "open" && (lock == "coarse" || lock == "locked") }
  }

  let child: Child

  init(
    _ direction: String,
    server: String,
    on card: PipeWireSession,
    in scratch: Scratch,
    device: String = "pipewire",
  ) throws {
    child = try Child(
      Multiroute.path(),
      ["bridge", "--device", device, "--\(direction)", "--server", server, "--name", "usb"]
        + ["--rate", "48000", "--json", "--interval", "100"],
      environment: card.environment,
      in: scratch,
    )
  }

  /// All whole lines so far.
  var lines: [[String: Any]] {
    child.standardOutput.split(separator: "\n").compactMap {
      try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// The last status.
  var status: Status? {
    child.lastOutput.split(separator: "\n").last { $0.contains(#""type":"status""#) }
      .flatMap { try? JSONDecoder().decode(Status.self, from: Data($0.utf8)) }
  }

  /// Every status so far.
  var statuses: [Status] {
    child.standardOutput.split(separator: "\n").filter { $0.contains(#""type":"status""#) }
      .compactMap { try? JSONDecoder().decode(Status.self, from: Data($0.utf8)) }
  }

  /// The kinds of the events so far.
  var events: [String] { lines.compactMap { $0["kind"] as? String } }

  /// Why it was not locked, status by status.
  var reasons: [String] { lines.compactMap { $0["reason"] as? String } }

  /// Waits for a status; generously, because each time that the machine is late costs a second or two.
  @discardableResult
  func wait(
    for what: String,
    within limit: Duration = .seconds(60),
    _ fits: (Status) -> Bool,
  ) async throws -> Status {
    var found: Status?
    do {
      // At most as often as the bridge prints, because checking takes processor time from the bridge.
      try await waitUntil(what, within: limit, every: .milliseconds(25)) {
        guard child.end == nil else { throw TestFailure("the bridge has ended") }
        guard let status, fits(status) else { return false }
        found = status
        return true
      }
    } catch {
      let output = child.standardOutput.split(separator: "\n")
      let events = output.filter { !$0.contains(#""type":"status""#) }.suffix(20)
      let statuses = output.filter { $0.contains(#""type":"status""#) }.suffix(3)
      let told = (events + statuses).joined(separator: "\n")
      throw TestFailure("\(error):\n\(told)\n\(child.standardError)")
    }
    guard let found else { throw TestFailure(what) }
    return found
  }
}
