// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

extension MachineDescription {
  /// Reads what the running system says about itself.
  ///
  /// - Parameters:
  ///   - server: The JACK server, in words.
  ///   - versions: Versions by program.
  /// - Returns: The description; what cannot be read is `unknown` or nil.
  public static func current(
    server: String? = nil,
    versions: [String: String] = [:],
  ) -> MachineDescription {
    func firstLine(_ path: String) -> String? { SystemFile.lines(path).first }
    let release = firstLine("/proc/sys/kernel/osrelease") ?? "unknown"
    let version = firstLine("/proc/sys/kernel/version") ?? "unknown"
    let model = SystemFile.lines("/proc/cpuinfo").first { $0.hasPrefix("model name") }
    let lockedMemory = limit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue))
    let realtimePriority = limit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue))
    return MachineDescription(
      hostName: firstLine("/proc/sys/kernel/hostname") ?? "unknown",
      kernel: "\(release) \(version)",
      preemption: preemption(kernelVersion: version),
      processor: model.flatMap { $0.split(separator: ":").last }
        .map { String($0.trimmingPrefix(while: \.isWhitespace)) } ?? "unknown",
      processorCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
      governor: firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
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
    if let modes = SystemFile.lines("/sys/kernel/debug/sched/preempt").first,
      let open = modes.firstIndex(of: "("), let close = modes.firstIndex(of: ")"), open < close
    {
      return String(modes[modes.index(after: open)..<close])
    }
    if kernelVersion.contains("PREEMPT_DYNAMIC") { return "dynamic" }
    return kernelVersion.contains("PREEMPT") ? "full" : "unknown"
  }
}
