// SPDX-License-Identifier: MIT

internal import SystemSupport

/// Kernel settings that decide how soon an audio thread runs.
extension Machine {
  func kernel() -> [Finding] {
    [preemption(), tick(), interruptThreads(), swappiness(), realtimeShare()].compactMap(\.self)
  }

  private var commandLine: [Substring] {
    text("/proc/cmdline")?.split(separator: " ") ?? []
  }

  /// Whether the kernel has the real-time patches' preemption.
  private var isRealtimeKernel: Bool {
    text("/sys/kernel/realtime") == "1"
      || text("/proc/sys/kernel/version")?.contains("PREEMPT_RT") == true
  }

  /// A setting of the running kernel's build; nil when its configuration cannot be read.
  private func build(_ key: String) -> Substring? {
    guard let release = text("/proc/sys/kernel/osrelease") else { return nil }
    return lines("/boot/config-\(release)").first { $0.hasPrefix("\(key)=") }?
      .dropFirst(key.count + 1)
  }

  private func preemption() -> Finding {
    let subject = "kernel preemption"
    if isRealtimeKernel { return .ok(subject, "full, real-time (PREEMPT_RT)") }
    let version = text("/proc/sys/kernel/version") ?? ""
    let chosen = commandLine.last { $0.hasPrefix("preempt=") }?.dropFirst(8)
    // The mode in force stands in brackets; only root may read the file.
    let inForce = text("/sys/kernel/debug/sched/preempt")?
      .split(separator: "(").last?.split(separator: ")").first
    let isDynamic = version.contains("PREEMPT_DYNAMIC")
    let mode = inForce ?? chosen ?? (isDynamic ? dynamicDefault : nil)
    if mode == "full" || mode == "lazy" || (!isDynamic && version.contains("PREEMPT")) {
      return .ok(subject, mode.map(String.init) ?? "full")
    }
    guard isDynamic else {
      return .advice(
        subject,
        "none or voluntary",
        cost: "a system call of any program can hold up an audio thread for milliseconds",
        remedy: "sudo apt install linux-image-rt-amd64",
      )
    }
    return .advice(
      subject,
      mode.map { "dynamic, \($0)" } ?? "dynamic, its mode is not known",
      cost: "a system call of any program can hold up an audio thread for milliseconds",
      remedy: addToCommandLine("preempt=full"),
    )
  }

  /// Initial mode of a kernel that has a choice of modes.
  private var dynamicDefault: Substring? {
    [
      ("CONFIG_PREEMPT", "full"), ("CONFIG_PREEMPT_LAZY", "lazy"),
      ("CONFIG_PREEMPT_VOLUNTARY", "voluntary"), ("CONFIG_PREEMPT_NONE", "none"),
    ].first { build($0.0) == "y" }.map { $0.1 }
  }

  private func tick() -> Finding? {
    guard let rate = build("CONFIG_HZ").flatMap({ Int($0) }) else { return nil }
    let subject = "kernel timers"
    let isFine = build("CONFIG_HIGH_RES_TIMERS") == "y"
    let found = "\(rate) Hz tick, \(isFine ? "with" : "without") high-resolution timers"
    if isFine && rate >= 250 { return .ok(subject, found) }
    return .advice(
      subject,
      found,
      cost: isFine
        ? "threads of ordinary priority share a processor in slices of \(1000 / max(rate, 1)) ms"
        : "every timer is late by up to \(1000 / max(rate, 1)) ms",
      remedy: "sudo apt install linux-image-rt-amd64",
    )
  }

  private func interruptThreads() -> Finding {
    let subject = "interrupts"
    if isRealtimeKernel || commandLine.contains("threadirqs") {
      return .ok(subject, "handled by threads")
    }
    return .advice(
      subject,
      "handled at once, in front of all threads",
      cost: "a busy disk or network card holds up audio; threads could be given priorities",
      remedy: addToCommandLine("threadirqs"),
    )
  }

  private func swappiness() -> Finding {
    let subject = "swappiness"
    let value = text("/proc/sys/vm/swappiness").flatMap { Int($0) }
    // The first line is a header.
    let hasSwap = lines("/proc/swaps").count > 1
    guard let value, hasSwap else { return .ok(subject, "no swap in use") }
    guard value > 10 else { return .ok(subject, "\(value)") }
    return .advice(
      subject,
      "\(value)",
      cost: "memory of idle programs, and of audio that is not locked, goes to disk early",
      remedy: "sudo sysctl -w vm.swappiness=10",
    )
  }

  private func realtimeShare() -> Finding? {
    guard let share = text("/proc/sys/kernel/sched_rt_runtime_us").flatMap({ Int($0) }) else {
      return nil
    }
    let period = text("/proc/sys/kernel/sched_rt_period_us").flatMap { Int($0) } ?? 1_000_000
    let subject = "real-time share"
    guard share >= 0 else { return .ok(subject, "unlimited") }
    let percent = share * 100 / max(period, 1)
    let found = "\(percent) % of the processor time"
    guard percent < 90 else { return .ok(subject, found) }
    return .problem(
      subject,
      found,
      cost:
        "audio threads are stopped for the rest of each \(period / 1000) ms when they use it up",
      remedy: "sudo sysctl -w kernel.sched_rt_runtime_us=950000",
    )
  }

  private func addToCommandLine(_ option: String) -> String {
    "sudo sed -i 's/^GRUB_CMDLINE_LINUX=\"/&\(option) /' /etc/default/grub && sudo update-grub"
      + "; then restart"
  }
}
