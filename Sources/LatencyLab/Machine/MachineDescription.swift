// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import JACK
import SystemSupport

/// The machine a report was made on: its first line.
///
/// A plain value: [any-thread].
public struct MachineDescription: Equatable, Sendable, Codable {
  /// Host name.
  public var hostName: String
  /// Kernel release and version, such as `6.1.0-18-rt-amd64 #1 SMP PREEMPT_RT`.
  public var kernel: String
  /// Preemption model: `none`, `voluntary`, `full`, `dynamic`, `realtime` or
  /// `unknown`.
  public var preemption: String
  /// Model name of the processor.
  public var processor: String
  /// Number of processors on line.
  public var processorCount: Int
  /// Frequency governor of the first processor; nil without one.
  public var governor: String?
  /// Highest real-time priority this process may take (`ulimit -r`).
  public var realtimePriorityLimit: Int
  /// Memory this process may lock in bytes (`ulimit -l`); nil without a limit.
  public var lockedMemoryLimitBytes: UInt64?
  /// Memory of the machine in bytes.
  public var memoryBytes: UInt64
  /// The JACK server and library, such as `jackd2 1.9.21, dummy`; nil without a server.
  public var server: String?
  /// Versions by program, such as `multiroute` and `swift`.
  public var versions: [String: String]

  /// Describes a machine; ``current(server:versions:)`` describes this one.
  public init(
    hostName: String,
    kernel: String,
    preemption: String,
    processor: String,
    processorCount: Int,
    governor: String?,
    realtimePriorityLimit: Int,
    lockedMemoryLimitBytes: UInt64?,
    memoryBytes: UInt64,
    server: String? = nil,
    versions: [String: String] = [:],
  ) {
    self.hostName = hostName
    self.kernel = kernel
    self.preemption = preemption
    self.processor = processor
    self.processorCount = processorCount
    self.governor = governor
    self.realtimePriorityLimit = realtimePriorityLimit
    self.lockedMemoryLimitBytes = lockedMemoryLimitBytes
    self.memoryBytes = memoryBytes
    self.server = server
    self.versions = versions
  }
}

extension MachineDescription {
  /// Reads the description of the running system.
  ///
  /// - Parameters:
  ///   - server: The JACK server, in words.
  ///   - versions: Versions by program.
  /// - Returns: The description; what cannot be read is `unknown` or nil.
  public static func current(
    server: String? = nil,
    versions: [String: String] = [:],
  ) -> MachineDescription {
    let machine = Machine.this
    let release = machine.text("/proc/sys/kernel/osrelease") ?? "unknown"
    let version = machine.text("/proc/sys/kernel/version") ?? "unknown"
    let model = machine.lines("/proc/cpuinfo").first { $0.hasPrefix("model name") }
    let lockedMemory = limit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue))
    let realtimePriority = limit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue))
    return MachineDescription(
      hostName: machine.text("/proc/sys/kernel/hostname") ?? "unknown",
      kernel: "\(release) \(version)",
      preemption: preemption(kernelVersion: version),
      processor: model.flatMap { $0.split(separator: ":").last }
        .map { String($0.trimmingPrefix(while: \.isWhitespace)) } ?? "unknown",
      processorCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
      governor: machine.text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
      realtimePriorityLimit: Int(clamping: realtimePriority ?? 99),
      lockedMemoryLimitBytes: lockedMemory,
      memoryBytes: UInt64(sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))),
      server: server,
      versions: versions,
    )
  }

  /// The soft limit of a resource; nil without one.
  private static func limit(_ resource: __rlimit_resource_t) -> UInt64? {
    var limits = rlimit()
    guard unsafe getrlimit(resource, &limits) == 0 else { return 0 }
    return limits.rlim_cur == .max ? nil : UInt64(limits.rlim_cur)
  }

  /// The preemption model, by the kernel's version text, or by its debug file where readable.
  private static func preemption(kernelVersion: String) -> String {
    if kernelVersion.contains("PREEMPT_RT") { return "realtime" }
    if let modes = Machine.this.text("/sys/kernel/debug/sched/preempt"),
      let open = modes.firstIndex(of: "("), let close = modes.firstIndex(of: ")"), open < close
    {
      return String(modes[modes.index(after: open)..<close])
    }
    if kernelVersion.contains("PREEMPT_DYNAMIC") { return "dynamic" }
    return kernelVersion.contains("PREEMPT") ? "full" : "unknown"
  }
}

extension MachineDescription {
  /// Describes this machine and the server that is measured on.
  ///
  /// - Parameters:
  ///   - target: Dummy servers of the measurement's own, or one that runs.
  ///   - versions: Versions by program, in addition to libjack's.
  /// - Returns: The description.
  public static func current(
    measuringOn target: SweepBenchmark.Options.Target,
    versions: [String: String] = [:],
  ) -> MachineDescription {
    let server: String
    switch target {
    case .dummyServers:
      server = "jackd \(JACKLibrary.version), dummy"
    case .runningServer(let name):
      let identity = ServerIdentity.find(name: name)
      let words = [identity.kind.rawValue, JACKLibrary.version, identity.driver]
      server = words.compactMap(\.self).joined(separator: " ")
    }
    return current(
      server: server,
      versions: versions.merging(["libjack": JACKLibrary.version]) { $1 },
    )
  }
}
