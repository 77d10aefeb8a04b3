// SPDX-License-Identifier: MIT

internal import Glibc

/// Processes and their sockets, as /proc lists them. [any-thread]
extension Machine {
  /// Whether a process can run.
  package enum ProcessState: Sendable, Hashable {
    /// It runs, or sleeps until an event.
    case runs
    /// SIGSTOP or a debugger has stopped it.
    case stopped
    /// It has ended, or is about to.
    case ended

    /// Whether it is stopped; nil where it has ended or is about to.
    package var isStopped: Bool? { self == .ended ? nil : self == .stopped }
  }

  /// A UNIX socket with a path.
  package struct Socket: Sendable, Hashable {
    /// Its inode, by which descriptors refer to it.
    package let inode: String
    /// Whether it waits for connections.
    package let isListening: Bool
    /// The path that it is bound to.
    package let path: String

    /// Target of a descriptor's link in /proc.
    package var link: String { "socket:[\(inode)]" }
  }

  // MARK: - Processes

  /// The ids of all processes, in increasing order.
  package func processes() -> [Int32] { names(in: "/proc").compactMap { Int32($0) }.sorted() }

  /// Path of the program file of a process; nil for another user's, and for one that has ended.
  package func executable(of pid: Int32) -> String? {
    guard let path = link("/proc/\(pid)/exe") else { return nil }
    // A program file that was replaced while the process runs.
    let deleted = " (deleted)"
    return path.hasSuffix(deleted) ? String(path.dropLast(deleted.count)) : path
  }

  /// The command line of a process, the program first; empty without one.
  package func commandLine(of pid: Int32) -> [String] {
    (bytes("/proc/\(pid)/cmdline") ?? []).split(separator: 0)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The name of a process, cut to 15 bytes by the kernel.
  package func name(of pid: Int32) -> String? { text("/proc/\(pid)/comm") }

  /// Whether a process can run.
  package func state(of pid: Int32) -> ProcessState {
    let fields = statFields(of: pid)
    // A process that is killed while it is stopped runs once more, to its end.
    guard fields.count > 28, let flags = UInt64(fields[6]), let pending = UInt64(fields[28]) else {
      return .ended
    }
    let isExiting = flags & 0x4 != 0
    let isKilled = pending & 1 << UInt64(SIGKILL - 1) != 0
    switch fields[0] {
    case "T", "t": return .stopped
    case "Z", "X": return .ended
    default: return isExiting || isKilled ? .ended : .runs
    }
  }

  /// The time at which a process was started, in clock ticks since the machine was; nil where it has ended.
  ///
  /// With its id it names a process for good, because ids are used again.
  package func startTicks(of pid: Int32) -> UInt64? {
    let fields = statFields(of: pid)
    return fields.count > 19 ? UInt64(fields[19]) : nil
  }

  /// Whether a signal has stopped each thread of a process that has not ended; on a busy machine some run on for a while.
  package func standsStill(_ pid: Int32) -> Bool {
    let threads = "/proc/\(pid)/task"
    return names(in: threads).allSatisfy { thread in
      statFields(in: "\(threads)/\(thread)").first.map { "TtZX".contains($0) } ?? true
    }
  }

  private func statFields(of pid: Int32) -> [Substring] { statFields(in: "/proc/\(pid)") }

  /// proc(5): the fields of the `stat` of a process or thread from the third one on, the first behind its name.
  private func statFields(in folder: String) -> [Substring] {
    guard let text = text("\(folder)/stat"), let end = text.lastIndex(of: ")") else { return [] }
    return text[text.index(after: end)...].split(separator: " ")
  }

  /// Session of a process of this machine.
  package static func session(of pid: Int32) -> Int32 { getsid(pid) }

  // MARK: - Sockets

  /// The UNIX sockets that are bound to a path.
  package func sockets(at path: String) -> [Socket] {
    lines("/proc/net/unix").filter { $0.hasSuffix(" " + path) }.compactMap { line in
      // Number, references, protocol, flags, type, state, inode, path.
      let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
      guard fields.count == 8 else { return nil }
      // 0x10000 is __SO_ACCEPTCON, "listening".
      return Socket(
        inode: String(fields[6]),
        isListening: fields[3] == "00010000",
        path: String(fields[7]),
      )
    }
  }

  /// Whether a process has a descriptor of one of some sockets.
  ///
  /// The sockets of other users' processes are unknown, except for root.
  package func process(_ pid: Int32, holdsOneOf sockets: some Collection<Socket>) -> Bool {
    let folder = "/proc/\(pid)/fd"
    let wanted = Set(sockets.map(\.link))
    return names(in: folder).contains { name in
      link("\(folder)/\(name)").map(wanted.contains) ?? false
    }
  }

  // MARK: - Programs and the environment

  /// Path of a program, found as the shell finds it; nil without an executable one.
  package func program(_ name: String) -> String? {
    if name.contains("/") { return unsafe access(root + name, X_OK) == 0 ? name : nil }
    return (Self.variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .map { "\($0)/\(name)" }
      .first { unsafe access(root + $0, X_OK) == 0 }
  }

  /// Path of a program's file without symbolic links, found as the shell finds it; nil without an executable one.
  package func programFile(_ name: String) -> String? { program(name).map(resolved) }

  /// A path without symbolic links; the path itself where no file has it.
  package func resolved(_ path: String) -> String {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard unsafe realpath(root + path, &target) != nil else { return path }
    let bytes = target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(String(decoding: bytes, as: UTF8.self).dropFirst(root.count))
  }

  /// A variable of this process's environment; nil where it is not set or empty.
  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// All variables of this process's environment.
  package static var environment: [String: String] {
    var variables: [String: String] = [:]
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let text = unsafe String(cString: entry)
      if let mark = text.firstIndex(of: "=") {
        variables[String(text[..<mark])] = String(text[text.index(after: mark)...])
      }
      unsafe next += 1
    }
    return variables
  }
}
