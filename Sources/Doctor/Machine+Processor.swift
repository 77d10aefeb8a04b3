// SPDX-License-Identifier: MIT

internal import SystemSupport

/// Speed control of the processors, and their clock source.
extension Machine {
  func processor() -> [Finding] { [governor(), clockSource()] }

  private func governor() -> Finding {
    let subject = "CPU governor"
    let folder = "/sys/devices/system/cpu"
    let governors = names(in: folder)
      .filter { $0.hasPrefix("cpu") && $0.dropFirst(3).allSatisfy(\.isNumber) }
      .compactMap { text("\(folder)/\($0)/cpufreq/scaling_governor") }
    guard !governors.isEmpty else {
      return .ok(subject, "none: the speed is fixed, or set from outside (virtual machine)")
    }
    let slow = governors.filter { $0 != "performance" }
    guard let first = slow.first else { return .ok(subject, "performance") }
    return .advice(
      subject,
      slow.count == governors.count ? first : "\(first) on \(slow.count) of \(governors.count)",
      cost: "a processor that idles between periods is slow when the next one begins",
      remedy: "sudo cpupower frequency-set -g performance  # apt install linux-cpupower",
    )
  }

  private func clockSource() -> Finding {
    let subject = "clock source"
    let name = text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    guard let name else { return .ok(subject, "not known") }
    // These are read through hardware registers: a microsecond or more each time.
    guard ["hpet", "acpi_pm", "jiffies", "refined-jiffies"].contains(name) else {
      return .ok(subject, name)
    }
    return .advice(
      subject,
      name,
      cost: "every reading of the time takes a microsecond or more, several in each cycle",
      remedy: "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource",
    )
  }
}
