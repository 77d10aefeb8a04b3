// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import JACK
internal import Patchbay
internal import Sessions

/// The programs that keep connecting themselves to what they may not hear (PRM-4).
///
/// Cuts are counted for each program, whatever its clients are called. Part of the ``CaptureRoom``; belongs to the
/// control thread.
final class CaptureAlarms {
  /// A cut: the connection that was made, and whose it was.
  struct Cut {
    /// The connection.
    var made: ConnectionPair
    /// The capture port that it leads to, past gates; the same as its source for an output of the host.
    var capture: String
    /// The client that hears it.
    var client: String
    /// The client's program.
    var program: Program
    /// PRM-1 for a capture, PRM-3 for an output that carries a microphone.
    var rule: RuleID
  }

  /// A program in an alarm.
  private struct Alarm {
    let program: Program
    var status: AlarmStatus
    /// The connections that are cut at once when they come back, each with its cut.
    var held: [ConnectionPair: Cut] = [:]
  }

  private let control: Control
  private var insistence: [String: Insistence] = [:]
  private var alarms: [String: Alarm] = [:]
  /// The program in an alarm by its connections.
  private var owners: [ConnectionPair: String] = [:]

  /// Begins without any.
  init(control: Control) { self.control = control }

  /// The alarms for `status`, by program.
  var statuses: [AlarmStatus] { alarms.sorted { $0.key < $1.key }.map(\.value.status) }

  /// The rule by which a connection is cut whenever it comes back; nil for any other connection.
  func rule(holding pair: ConnectionPair) -> RuleID? {
    owners[pair].flatMap { alarms[$0]?.held[pair]?.rule }
  }

  /// Counts a cut, and raises the alarm at the third attempt of a program without permission.
  ///
  /// - Returns: How many attempts there have been.
  func note(_ cut: Cut, mayRecord: Bool) -> Insistence.Count {
    let key = cut.program.key
    let now = control.nowNanoseconds
    let count = insistence[key, default: Insistence()].note(cut.made, nowNanoseconds: now)
    guard !mayRecord, count != .few else { return count }
    if alarms[key] == nil { raise(cut, key) }
    hold(cut, key)
    return count
  }

  /// Counts a connection that was held and has been cut again.
  func noteAgain(_ pair: ConnectionPair) {
    guard let key = owners[pair], let cut = alarms[key]?.held[pair] else { return }
    _ = insistence[key, default: Insistence()].note(pair, nowNanoseconds: control.nowNanoseconds)
    hold(cut, key)
  }

  private func hold(_ cut: Cut, _ key: String) {
    alarms[key]?.held[cut.made] = cut
    alarms[key]?.status.client = cut.client
    alarms[key]?.status.attempts = insistence[key]?.cuts ?? 0
    owners[cut.made] = key
  }

  private func raise(_ cut: Cut, _ key: String) {
    let program = cut.program
    let status = AlarmStatus(
      rule: cut.rule,
      app: program.name,
      executable: program.executable,
      client: cut.client,
      capture: cut.capture,
      port: cut.made.destination,
      attempts: insistence[key]?.cuts ?? 0,
    )
    alarms[key] = Alarm(program: program, status: status)
    control.publish(
      .alarm(status),
      "ALARM: '\(program.name)' (\(program.executable ?? "client " + cut.client)) keeps connecting "
        + "\(cut.capture) to \(cut.made.destination) without permission; it is cut each time, but JACK connects before "
        + "it reports, so the program hears a part. End it, or allow it: multiroute permission grant \(program.key)",
    )
  }

  /// Ends the alarms of programs that have been quiet for a minute.
  func look() {
    let now = control.nowNanoseconds
    insistence = insistence.filter { !$0.value.isQuiet(nowNanoseconds: now) }
    for key in alarms.keys.sorted() where insistence[key] == nil {
      _ = end(key, "has been quiet for a minute")
    }
  }

  /// Ends the alarms of programs that have a permission now.
  ///
  /// - Returns: The cuts that were held: their programs may hear these captures.
  func endGranted(_ isGranted: (Program) -> Bool) -> [Cut] {
    alarms.filter { isGranted($0.value.program) }.keys.sorted().flatMap { key in
      insistence[key] = nil
      return end(key, "may record now")
    }
  }

  private func end(_ key: String, _ reason: String) -> [Cut] {
    guard var alarm = alarms.removeValue(forKey: key) else { return [] }
    for pair in alarm.held.keys { owners[pair] = nil }
    alarm.status.over = true
    control.publish(.alarm(alarm.status), "the alarm is over: '\(alarm.program.name)' \(reason)")
    return Array(alarm.held.values)
  }

  /// Lets a connection be made again.
  func release(_ pair: ConnectionPair) {
    if let key = owners.removeValue(forKey: pair) { alarms[key]?.held[pair] = nil }
  }

  /// Forgets the connections of a client that has gone; its program's attempts still count.
  func forget(_ client: String) {
    for pair in owners.keys where JACKNames.client(of: pair.destination) == client { release(pair) }
  }

  /// Forgets all, because the server has gone.
  func removeAll() {
    insistence.removeAll()
    alarms.removeAll()
    owners.removeAll()
  }
}
