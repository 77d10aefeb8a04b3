// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import InterAppAudio

/// Nodes that come too late (IAA-6).
extension Host {
  /// So many overruns within `overrunsNanoseconds` are a habit; a node tells of ten in a second at most.
  ///
  /// One can be a page fault, and some a machine with other work to do.
  private static let overrunLimit = 8
  private static let overrunsNanoseconds: UInt64 = 2_000_000_000

  func nodeOverran(_ node: Node) {
    guard let name = nodes.wantedName(of: node), var wanted = nodes.wanted[name],
      wanted.client == node.name
    else { return }
    let now = HostClock.nowNanoseconds()
    wanted.overrunsNanoseconds.removeAll { now &- $0 > Self.overrunsNanoseconds }
    wanted.overrunsNanoseconds.append(now)
    let isHabit = wanted.overrunsNanoseconds.count >= Self.overrunLimit
    if isHabit { wanted.overrunsNanoseconds = [] }
    nodes.wanted[name] = wanted
    guard isHabit else { return }
    faultLate(name, "its callback takes longer than a period")
  }

  /// Tells of nodes that come too late though they run, and bypasses those that do so again and again.
  func countMisses() {
    let now = HostClock.nowNanoseconds()
    for ports in presence?.inserts ?? [] {
      let place = ports.place
      ports.noteMisses(nowNanoseconds: now)
      if ports.tellMisses(nowNanoseconds: now) {
        let status = ports.handoverStatus
        publish(
          .nodeLate,
          "\(place.description) has gone on without its nodes: they were not in time",
          details: place.details.merging([
            "misses": .integer(Int64(status.misses)),
            "missedCycles": .integer(Int64(status.missedCycles)),
          ]) { first, _ in first },
        )
      }
      guard ports.misses.isHabit(nowNanoseconds: now) else { continue }
      ports.forgiveMisses()
      let reason =
        "\(place.description) does not hear it in time, again and again: it takes too long, "
        + "or is patched in a loop"
      for name in nodes.names(at: place) { faultLate(name, reason) }
    }
  }

  /// Bypasses an effect that comes too late, and says when it is tried again; of a source it only tells.
  private func faultLate(_ name: String, _ reason: String) {
    guard !nodes.places(of: name).isEmpty, let policy = nodes.wanted[name]?.use.restart else {
      return fault(name, reason)
    }
    // Bypassed for it already.
    guard nodes.wanted[name]?.retries.isWaiting == false else { return }
    let seconds = nodes.wanted[name]?.retries.noteLate(
      policy,
      nowNanoseconds: HostClock.nowNanoseconds(),
    )
    let then = seconds.map { "; it is bypassed, and tried again in \($0) s" }
    let text = reason + (then ?? "; it is bypassed until it is set again")
    nodes.wanted[name]?.lateFault = text
    fault(name, text, retrySeconds: seconds)
  }

  /// Lets effects be heard again that were too late, when their time has come; by the host's timer.
  func retryLateNodes() {
    let now = HostClock.nowNanoseconds()
    for name in nodes.wanted.keys.sorted() {
      guard nodes.wanted[name]?.retries.isDue(nowNanoseconds: now) == true,
        let late = nodes.wanted[name]?.lateFault,
        clearFaults(of: name, where: { $0 == late })
      else { continue }
      publish(
        .mixChanged,
        "effect '\(name)' was too late, and is tried again",
        details: ["node": .string(name)],
      )
      settleInserts()
    }
  }

  /// Lets misses be that a node's end or stop explains.
  func forgiveMisses(with name: String) {
    for ports in presence?.inserts ?? [] where nodes.names(at: ports.place).contains(name) {
      ports.forgiveMisses()
    }
  }
}
