// SPDX-License-Identifier: MIT

internal import SystemSupport

/// Limits of the process: real-time priority, locked memory, open files.
extension Machine {
  func limits() -> [Finding] {
    [realtimePriority(), lockedMemory(), openFiles()] + userUnits()
  }

  /// The priority that the shipped limits and most guides give to the group `audio`.
  private static let usualPriority: UInt64 = 95
  /// Below this, JACK's usual priorities (server 10, clients 5, Debian's jackd 70) do not fit.
  private static let sufficientPriority: UInt64 = 70
  /// Memory that the host and its buffers can need.
  private static let sufficientLockedBytes: UInt64 = 256 << 20
  /// Sockets, pipes and shared memory of a big graph: 64 clients with a few descriptors each.
  private static let sufficientFiles: UInt64 = 1024

  func realtimePriority() -> Finding {
    let subject = "real-time priority"
    let limit = softLimit("Max realtime priority") ?? 0
    if has(.sysNice) {
      return .ok(subject, "any (the process has CAP_SYS_NICE), limit \(limit)")
    }
    let cost =
      "audio threads wait for every other program: dropouts as soon as the machine is busy"
    if limit == 0 {
      return .problem(subject, "not allowed", cost: cost, remedy: permit)
    }
    if limit < Self.sufficientPriority {
      return .advice(
        subject,
        "up to \(limit)",
        cost: "JACK's usual priority of \(Self.sufficientPriority) is refused",
        remedy: permit,
      )
    }
    return .ok(subject, limit == .max ? "any" : "up to \(limit)")
  }

  private func lockedMemory() -> Finding {
    let subject = "locked memory"
    let limit = softLimit("Max locked memory") ?? 0
    let found = limit == .max ? "unlimited" : "up to \(limit >> 20) MiB"
    if has(.ipcLock) {
      return .ok(subject, "unlimited (the process has CAP_IPC_LOCK), limit: \(found)")
    }
    guard limit < Self.sufficientLockedBytes else { return .ok(subject, found) }
    return .advice(
      subject,
      found,
      cost: "audio memory can be swapped out; reading it back takes longer than a period",
      remedy: permit,
    )
  }

  private func openFiles() -> Finding {
    let subject = "open files"
    let limit = softLimit("Max open files") ?? 0
    guard limit < Self.sufficientFiles else {
      return .ok(subject, limit == .max ? "unlimited" : "up to \(limit)")
    }
    return .advice(
      subject,
      "up to \(limit)",
      cost: "clients and control connections are refused when a graph grows",
      remedy: "ulimit -n \(Self.sufficientFiles * 4)",
    )
  }

  /// The limits of services of the user: theirs are at most those of their manager, which no login reaches.
  private func userUnits() -> [Finding] {
    let subject = "real-time priority of user services"
    let own = status("Uid")
    let manager = processes().first { pid in
      name(of: pid)?.split(whereSeparator: \.isNewline).first == "systemd"
        && status("Uid", of: "\(pid)") == own
        && pid != 1 && commandLine(of: pid).contains("--user")
    }
    guard let manager, let limit = hardLimit("Max realtime priority", of: "\(manager)") else {
      return []
    }
    guard limit < Self.sufficientPriority else {
      return [.ok(subject, limit == .max ? "any" : "up to \(limit)")]
    }
    return [
      .advice(
        subject,
        limit == 0 ? "not allowed" : "up to \(limit)",
        cost: "'systemctl --user start multiroute' plays without real-time scheduling: "
          + "dropouts on a busy machine",
        remedy:
          "sudo mkdir -p /etc/systemd/system/user@.service.d && "
          + "printf '[Service]\\nLimitRTPRIO=\(Self.usualPriority)\\nLimitMEMLOCK=infinity\\n'"
          + " | sudo tee /etc/systemd/system/user@.service.d/audio.conf; then restart the machine",
      )
    ]
  }

  // MARK: - Group and limits

  /// The command that allows both priority and memory.
  ///
  /// A member of a group that has limits already only has to log in again.
  private var permit: String {
    let granting = Self.audioGroups.first { group in
      limitFiles.contains { $0.contains("@\(group)") && $0.contains("rtprio") }
    }
    guard let granting else {
      return "printf '@audio - rtprio \(Self.usualPriority)\n@audio - memlock unlimited\n'"
        + " | sudo tee /etc/security/limits.d/audio.conf"
        + (isMember(of: "audio") ? "" : " && sudo usermod -aG audio \"$USER\"")
        + "; then log in again"
    }
    return isMember(of: granting)
      ? "log out and in again: the limits of the group \(granting) are not in force yet"
      : "sudo usermod -aG \(granting) \"$USER\"; then log in again"
  }

  private static let audioGroups = ["audio", "realtime", "pipewire", "jackuser"]

  private var limitFiles: [String] {
    let folder = "/etc/security/limits.d"
    let paths = names(in: folder).map { "\(folder)/\($0)" } + ["/etc/security/limits.conf"]
    return paths.flatMap(lines).filter { !$0.hasPrefix("#") }.map(String.init)
  }

  private func isMember(of group: String) -> Bool {
    let id = lines("/etc/group").lazy
      .map { $0.split(separator: ":", omittingEmptySubsequences: false) }
      .first { $0.count >= 3 && $0[0] == group }?[2]
    let groups = status("Groups")?.split(separator: " ") ?? []
    return id.map(groups.contains) ?? false
  }

  // MARK: - The process

  /// A capability's bit number.
  private enum Capability: Int {
    case ipcLock = 14
    case sysNice = 23
  }

  private func has(_ capability: Capability) -> Bool {
    guard let text = status("CapEff"), let mask = UInt64(text, radix: 16) else { return false }
    return mask >> capability.rawValue & 1 == 1
  }

  /// A field of a process's status.
  private func status(_ field: String, of process: String = "self") -> String? {
    lines("/proc/\(process)/status").first { $0.hasPrefix("\(field):") }
      .flatMap { $0.split(separator: "\t").dropFirst().first.map(String.init) }
  }

  /// The most to which a process may raise a limit, the largest number where it is unlimited; nil where it is not known.
  private func hardLimit(_ name: String, of process: String) -> UInt64? {
    lines("/proc/\(process)/limits").first { $0.hasPrefix(name) }
      .flatMap { $0.dropFirst(name.count).split(separator: " ").dropFirst().first }
      .flatMap { $0 == "unlimited" ? .max : UInt64($0) }
  }

  /// A limit in force, the largest number where it is unlimited; nil where it is not known.
  private func softLimit(_ name: String) -> UInt64? {
    lines("/proc/self/limits").first { $0.hasPrefix(name) }
      .flatMap { $0.dropFirst(name.count).split(separator: " ").first }
      .flatMap { $0 == "unlimited" ? .max : UInt64($0) }
  }
}
