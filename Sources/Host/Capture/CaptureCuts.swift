// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Patchbay
internal import Sessions

/// Cuts connections that a rule forbids, makes them again for programs that may have them, and reports both.
///
/// Part of the ``CaptureRoom``; belongs to the control thread.
final class CaptureCuts {
  private let control: Control
  private let server: () -> (any CaptureServer)?
  /// The connections past their gates of clients without permission.
  private var insistence: [String: Insistence] = [:]

  /// Begins without any.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - server: Gives the server; nil while the host is not attached.
  init(control: Control, server: @escaping () -> (any CaptureServer)?) {
    self.control = control
    self.server = server
  }

  /// Cuts a connection that a rule forbids; false where that fails, which is reported.
  func cut(_ pair: ConnectionPair, rule: RuleID) -> Bool {
    guard let server = server() else { return false }
    do throws(JACKError) {
      try server.cut(pair.source, from: pair.destination)
      return true
    } catch {
      // A connection that has gone in the meantime counts as cut.
      guard error.code != .notConnected, error.code != .noSuchPort else { return true }
      control.publish(
        .error(),
        "cannot take \(pair.source) from \(pair.destination) (\(rule.name)): \(error)",
      )
      return false
    }
  }

  /// Makes a connection again that was cut; a failure is reported, unless the port has gone.
  func restore(_ pair: ConnectionPair) {
    do throws(JACKError) {
      try server()?.connect(pair.source, to: pair.destination)
    } catch {
      guard error.code != .noSuchPort else { return }
      control.publish(
        .error(),
        "cannot give \(pair.source) back to \(pair.destination), which may hear it: \(error)",
      )
    }
  }

  /// Reports a connection that was moved to a gate or removed; of a program that insists, only once (PRM-4).
  ///
  /// - Parameters:
  ///   - pair: The capture, or the output that carries a microphone, and the port that heard it.
  ///   - client: The client of that port.
  ///   - program: Its program.
  ///   - mayRecord: Whether it has the permission: then no attempt is insistence.
  ///   - rule: PRM-1 for a capture, PRM-3 for an output.
  ///   - begunNanoseconds: The time at which JACK's report was taken.
  func tell(
    _ pair: ConnectionPair,
    _ client: String,
    _ program: Program,
    mayRecord: Bool,
    rule: RuleID,
    begunNanoseconds: UInt64,
  ) {
    let now = control.nowNanoseconds
    let count =
      mayRecord
      ? .few : insistence[client, default: Insistence()].note(pair, nowNanoseconds: now)
    switch count {
    case .few:
      let milliseconds = Double(now &- begunNanoseconds) / 1e6
      publish(
        rule,
        pair,
        program,
        (rule == .prm3
          ? "PRM-3 \(pair.source) carries a microphone, which \(pair.destination) may not hear; "
          : "PRM-1 \(pair.destination) hears \(pair.source) through a gate and not directly; ")
          + "it was cut \(milliseconds.rounded(toPlaces: 1)) ms after JACK reported it",
      )
    case .enough:
      publish(
        .prm4,
        pair,
        program,
        "PRM-4 '\(program.name)' (client \(client)) keeps connecting \(pair.source) "
          + (rule == .prm3 ? "without permission; " : "past its gate; ")
          + "it stays cut, and further attempts are not reported",
      )
    case .more: break
    }
  }

  private func publish(_ rule: RuleID, _ pair: ConnectionPair, _ program: Program, _ text: String) {
    control.publish(
      .decision(.init(rule: rule, app: program.name, port: pair.destination, capture: pair.source)),
      text,
    )
  }

  /// Forgets the attempts of a client that has gone.
  func forget(_ client: String) { insistence[client] = nil }
}

/// The attempts of a client to connect itself past its gate, of which the user is told once (PRM-4).
///
/// Pure value: [any-thread].
struct Insistence: Sendable {
  /// How many attempts there have been within the last minute of attempts.
  enum Count: Sendable, Equatable {
    /// So few that each is reported.
    case few
    /// So many that the user is told of them.
    case enough
    /// More, of which the user has been told.
    case more
  }

  /// The attempt of which the user is told.
  static let enoughAttempts = 3
  /// After so long without an attempt the count begins again: a minute.
  static let quietNanoseconds: UInt64 = 60_000_000_000

  private var cut: Set<ConnectionPair> = []
  private var attempts = 0
  private var latestNanoseconds: UInt64 = 0

  /// Counts a connection that was cut; an attempt is one that was cut before.
  mutating func note(_ pair: ConnectionPair, nowNanoseconds: UInt64) -> Count {
    if nowNanoseconds &- latestNanoseconds > Self.quietNanoseconds { attempts = 0 }
    latestNanoseconds = nowNanoseconds
    guard !cut.insert(pair).inserted else { return .few }
    attempts += 1
    if attempts < Self.enoughAttempts { return .few }
    return attempts == Self.enoughAttempts ? .enough : .more
  }
}

extension Double {
  /// The number with that many decimal places. [any-thread]
  fileprivate func rounded(toPlaces places: Int) -> Double {
    let factor = (0..<places).reduce(1.0) { factor, _ in factor * 10 }
    return (self * factor).rounded() / factor
  }
}
