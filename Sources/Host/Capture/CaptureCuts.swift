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
  private let alarms: CaptureAlarms

  /// Begins without any.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - server: Gives the server; nil while the host is not attached.
  ///   - alarms: The programs that insist.
  init(
    control: Control,
    server: @escaping () -> (any CaptureServer)?,
    alarms: CaptureAlarms,
  ) {
    self.control = control
    self.server = server
    self.alarms = alarms
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
    alarms.release(pair)
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
  ///   - cut: The cut.
  ///   - mayRecord: Whether the program has the permission: then there is no alarm.
  ///   - begunNanoseconds: The time at which JACK's report was taken.
  func tell(_ cut: CaptureAlarms.Cut, mayRecord: Bool, begunNanoseconds: UInt64) {
    let port = cut.made.destination
    let milliseconds = Double(control.nowNanoseconds &- begunNanoseconds) / 1e6
    switch alarms.note(cut, mayRecord: mayRecord) {
    case .few:
      publish(
        cut.rule,
        cut,
        (cut.rule == .prm3
          ? "PRM-3 \(cut.capture) carries a microphone, which \(port) may not hear; "
          : "PRM-1 \(port) hears \(cut.capture) through a gate and not directly; ")
          + "it was cut \(milliseconds.rounded(toPlaces: 1)) ms after JACK reported it",
      )
    case .enough:
      publish(
        .prm4,
        cut,
        "PRM-4 '\(cut.program.name)' (client \(cut.client)) keeps connecting \(cut.capture) "
          + (cut.rule == .prm3 ? "without permission; " : "past its gate; ")
          + "it stays cut, and further attempts are not reported",
      )
    case .more: break
    }
  }

  private func publish(_ rule: RuleID, _ cut: CaptureAlarms.Cut, _ text: String) {
    control.publish(
      .decision(
        .init(rule: rule, app: cut.program.name, port: cut.made.destination, capture: cut.capture)
      ),
      text,
    )
  }

  /// Cuts a connection at once that a program in an alarm has made again.
  ///
  /// Nothing else is done before or after it, so the next one is cut as soon.
  ///
  /// - Returns: False for any other connection.
  func hold(_ pair: ConnectionPair) -> Bool {
    guard let rule = alarms.rule(holding: pair) else { return false }
    _ = cut(pair, rule: rule)
    alarms.noteAgain(pair)
    return true
  }
}

extension Double {
  /// The number with that many decimal places. [any-thread]
  fileprivate func rounded(toPlaces places: Int) -> Double {
    let factor = (0..<places).reduce(1.0) { factor, _ in factor * 10 }
    return (self * factor).rounded() / factor
  }
}
