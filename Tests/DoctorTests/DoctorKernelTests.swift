// SPDX-License-Identifier: MIT

import SystemSupport
import TestSupport
import Testing

@testable import Doctor

/// The doctor's findings about processor and kernel.
struct DoctorKernelTests {
  private static let version = "/proc/sys/kernel/version"
  private static let release = "/proc/sys/kernel/osrelease"

  @Test(
    "Preemption by what can be read",
    arguments: [
      ([version: "#1 SMP PREEMPT_RT Debian 6.1"], Finding.Severity.ok),
      ([version: "#1 SMP", "/sys/kernel/realtime": "1"], .ok),
      ([version: "#1 SMP PREEMPT Debian 6.1"], .ok),
      ([version: "#1 SMP"], .advice),
      ([version: "#1 SMP PREEMPT_DYNAMIC"], .advice),
      ([version: "#1 SMP PREEMPT_DYNAMIC", "/proc/cmdline": "quiet preempt=full"], .ok),
      (
        [
          version: "#1 SMP PREEMPT_DYNAMIC", release: "6.1",
          "/boot/config-6.1": "# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_VOLUNTARY=y\n",
        ], .advice
      ),
      (
        [
          version: "#1 SMP PREEMPT_DYNAMIC", release: "6.1", "/boot/config-6.1": "CONFIG_PREEMPT=y",
        ],
        .ok
      ),
      (
        [
          version: "#1 SMP PREEMPT_DYNAMIC", "/proc/cmdline": "preempt=full",
          "/sys/kernel/debug/sched/preempt": "none (voluntary) full\n",
        ], .advice
      ),
    ]
  )
  func preemption(files: [String: String], severity: Finding.Severity) throws {
    let finding = try MachineTree(files).machine().kernel().about("kernel preemption")
    #expect(finding?.severity == severity, "\(finding?.found ?? "none")")
  }

  @Test("The tick is shown if the configuration can be read")
  func tick() throws {
    #expect(try MachineTree().machine().kernel().about("kernel timers") == nil)
    let slow = try MachineTree([
      Self.release: "6.1", "/boot/config-6.1": "CONFIG_HZ=100\nCONFIG_HIGH_RES_TIMERS=y\n",
    ])
    let finding = slow.machine().kernel().about("kernel timers")
    #expect(finding?.severity == .advice)
    #expect(finding?.found == "100 Hz tick, with high-resolution timers")
  }

  @Test("Interrupts, swapping and the real-time share")
  func others() throws {
    let bad = try MachineTree([
      "/proc/cmdline": "quiet", "/proc/sys/vm/swappiness": "60\n",
      "/proc/swaps": "Filename Type Size\n/dev/sda2 partition 1\n",
      "/proc/sys/kernel/sched_rt_runtime_us": "500000\n",
      "/proc/sys/kernel/sched_rt_period_us": "1000000\n",
    ]).machine().kernel()
    #expect(bad.about("interrupts")?.severity == .advice)
    #expect(bad.about("swappiness")?.remedy == "sudo sysctl -w vm.swappiness=10")
    #expect(bad.about("real-time share")?.severity == .problem)

    let good = try MachineTree([
      "/proc/cmdline": "quiet threadirqs", "/proc/sys/vm/swappiness": "60\n",
      "/proc/swaps": "Filename Type Size\n",
      "/proc/sys/kernel/sched_rt_runtime_us": "-1\n",
    ]).machine().kernel()
    for subject in ["interrupts", "swappiness", "real-time share"] {
      #expect(good.about(subject)?.severity == .ok)
    }
  }

  @Test("Each processor's governor counts")
  func governor() throws {
    let cpu = "/sys/devices/system/cpu/cpu"
    let mixed = try MachineTree([
      "\(cpu)0/cpufreq/scaling_governor": "performance\n",
      "\(cpu)1/cpufreq/scaling_governor": "powersave\n",
      "\(cpu)freq/boost": "1",
    ]).machine().processor()
    #expect(mixed.about("CPU governor")?.found == "powersave on 1 of 2")
    #expect(mixed.about("CPU governor")?.severity == .advice)
    let fast = try MachineTree(["\(cpu)0/cpufreq/scaling_governor": "performance\n"])
    #expect(fast.machine().processor().about("CPU governor")?.severity == .ok)
    #expect(try MachineTree().machine().processor().about("CPU governor")?.severity == .ok)
  }

  @Test("A clock that is slow to read")
  func clock() throws {
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
    let slow = try MachineTree([path: "hpet\n"]).machine().processor()
    #expect(slow.about("clock source")?.severity == .advice)
    let fast = try MachineTree([path: "tsc\n"]).machine().processor()
    #expect(fast.about("clock source")?.severity == .ok)
  }
}
