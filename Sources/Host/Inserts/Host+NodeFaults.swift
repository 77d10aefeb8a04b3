// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Glibc
internal import GraphFiles
internal import InterAppAudio
internal import JACK

/// Nodes that do what they should not (IAA-6).
extension Host {
  /// Leaves a node out and says why (IAA-6).
  func fault(_ name: String, _ reason: String) {
    let places = nodes.places(of: name)
    let slot = places.first.flatMap { nodes.chains[$0] }?.slots.first { $0.use.name == name }
    guard slot?.fault != reason else { return }
    publish(
      .nodeFault,
      reason.hasPrefix("node '\(name)'") ? reason : "node '\(name)': \(reason)",
      details: ["node": .string(name), "reason": .string(reason)],
    )
    for place in places {
      guard let slots = nodes.chains[place]?.slots else { continue }
      for index in slots.indices where slots[index].use.name == name {
        nodes.chains[place]?.slots[index].fault = reason
      }
    }
    settleInserts()
  }

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
    fault(name, "its callback takes longer than a period; it is bypassed until it is set again")
  }

  /// Looks every 10 ms whether a node's process is stopped, and whether what nodes give comes in time.
  func watchNodes() {
    guard !nodes.isIdle, !isWatchingNodes else { return }
    isWatchingNodes = true
    tasks.append(
      Task {
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(10))
          guard phase == .running else { continue }
          followHostSession()
          lookForStoppedNodes()
          countMisses()
        }
      }
    )
  }

  private func lookForStoppedNodes() {
    for (name, wanted) in nodes.wanted {
      guard let node = nodes.running(name),
        let pid = node.processID ?? wanted.program?.processID
      else { continue }
      let isStopped = Self.isStopped(pid)
      guard isStopped != wanted.isStopped else { continue }
      nodes.wanted[name]?.isStopped = isStopped
      if isStopped {
        forgiveMisses(with: name)
        if let program = wanted.program, program.processID == pid {
          program.send(SIGKILL)
          fault(name, "it is stopped (SIGSTOP); the host has started it, and ends it")
        } else {
          unpatchFromRoutes(node, name)
          fault(name, "it is stopped (SIGSTOP); it is left out until it goes on")
        }
      } else {
        nodeCame(node)
        if areLatenciesStale { restateLatencies() }
      }
    }
    if isBufferStale, !nodes.haveStopped {
      isBufferStale = false
      afterHardwareWork { await $0.setHardware() }
    }
  }

  /// Takes a stopped node from the routes whose effect it is: the hardware would repeat its last cycle.
  ///
  /// A strip hears it no more by itself.
  private func unpatchFromRoutes(_ node: Node, _ name: String) {
    let routes = nodes.places(of: name).filter { if case .route = $0 { true } else { false } }
    guard !routes.isEmpty, let connection = presence?.sources ?? presence?.mix else { return }
    for place in routes { nodes.chains[place]?.links = [] }
    nodes.wanted[name]?.isUnpatching = true
    // jackd asks every client for its latencies after each change, and waits 5 s for one that is stopped:
    // nobody but this thread is to wait with it, and no other call of the main client.
    let work: @Sendable () -> Void = {
      connection.unpatch(node)
      Task { await self.unpatched(name) }
    }
    if !BackgroundThread.start(name: "unpatch", work) { work() }
  }

  /// Patches a node anew that has gone on before it was taken from everywhere.
  private func unpatched(_ name: String) {
    nodes.wanted[name]?.isUnpatching = false
    settleInserts()
  }

  private static func isStopped(_ pid: Int32) -> Bool {
    guard let text = TextFile.read("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else {
      return false
    }
    let state = text[text.index(after: end)...].first { $0 != " " }
    return state == "T" || state == "t"
  }

  // MARK: - Nodes that come too late

  /// Tells of nodes that come too late though they run, and bypasses those that do so again and again.
  private func countMisses() {
    let now = HostClock.nowNanoseconds()
    for ports in presence?.inserts ?? [] {
      let place = ports.place
      ports.noteMisses(nowNanoseconds: now)
      if ports.tellMisses(nowNanoseconds: now), let status = ports.handoverStatus {
        publish(
          .nodeLate,
          "\(place.description) has gone on without its nodes: they were not in time",
          details: [
            "strip": .string(status.strip), "misses": .integer(Int64(status.misses)),
            "missedCycles": .integer(Int64(status.missedCycles)),
          ],
        )
      }
      guard ports.misses.isHabit(nowNanoseconds: now) else { continue }
      ports.forgiveMisses()
      let reason =
        "\(place.description) does not hear it in time, again and again: it takes too long, "
        + "or is patched in a loop"
      for name in nodes.names(at: place) { fault(name, reason) }
    }
  }

  /// Lets misses be that a node's end or stop explains.
  func forgiveMisses(with name: String) {
    for ports in presence?.inserts ?? [] where nodes.names(at: ports.place).contains(name) {
      ports.forgiveMisses()
    }
  }
}
