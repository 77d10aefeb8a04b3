// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Glibc
internal import GraphFiles
internal import InterAppAudio
internal import JACK

/// Nodes that do what they should not (IAA-6).
extension Host {
  /// Leaves a node out and says why (IAA-6).
  func fault(_ name: String, _ reason: String, retrySeconds: UInt64? = nil) {
    let places = nodes.places(of: name)
    let slot = places.first.flatMap { nodes.chains[$0] }?.slots.first { $0.use.name == name }
    guard slot?.fault != reason else { return }
    var details: [String: JSONValue] = ["node": .string(name), "reason": .string(reason)]
    details["retrySeconds"] = retrySeconds.map { .integer(Int64($0)) }
    let prefix = "node '\(name)'"
    let message = reason.hasPrefix(prefix) ? reason : "\(prefix): \(reason)"
    publish(.nodeFault, message, details: details)
    for place in places {
      guard let slots = nodes.chains[place]?.slots else { continue }
      for index in slots.indices where slots[index].use.name == name {
        nodes.chains[place]?.slots[index].fault = reason
      }
    }
    settleInserts()
  }

  /// Forgets faults of a node.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  func clearFaults(of name: String, where isMeant: (String) -> Bool = { _ in true }) -> Bool {
    var isAny = false
    for place in nodes.places(of: name) {
      guard let slots = nodes.chains[place]?.slots else { continue }
      for index in slots.indices where slots[index].use.name == name {
        guard let fault = slots[index].fault, isMeant(fault) else { continue }
        nodes.chains[place]?.slots[index].fault = nil
        isAny = true
      }
    }
    return isAny
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
      // A stopped node that is killed does not go on: it is about to be told of as gone.
      guard let isStopped = Self.isStopped(pid) else { continue }
      guard isStopped != wanted.isStopped else { continue }
      nodes.wanted[name]?.isStopped = isStopped
      if isStopped {
        forgiveMisses(with: name)
        if let program = wanted.program, program.processID == pid {
          program.send(SIGKILL)
          fault(name, "it is stopped (SIGSTOP); the host has started it, and ends it")
        } else {
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

  /// Whether a process is stopped; nil where it has ended or is about to.
  static func isStopped(_ pid: Int32) -> Bool? {
    guard let text = TextFile.read("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else {
      return nil
    }
    // proc(5): from the third field on. One that is killed while it is stopped runs once more, to its end.
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 28, let flags = UInt64(fields[6]), let pending = UInt64(fields[28]) else {
      return nil
    }
    let isExiting = flags & 0x4 != 0
    let isKilled = pending & 1 << UInt64(SIGKILL - 1) != 0
    switch fields[0] {
    case "T", "t": return true
    case "Z", "X": return nil
    default: return isExiting || isKilled ? nil : false
    }
  }
}
