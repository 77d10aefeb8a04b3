// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import SystemSupport

extension SettingCosts {
  /// The settings that can be tried on this machine, and the others with the reason.
  func trials() -> (possible: [SettingTrial], impossible: [SettingCost]) {
    let usual = OwnServer.configuration("doctor")
    var possible = [
      SettingTrial(
        subject: "real-time priority",
        comparison: "jackd with -R against -r, beside a busy program on each processor",
        good: usual,
        bad: OwnServer.configuration("doctor", isRealtime: false),
        isUnderLoad: true,
      ),
      SettingTrial(
        subject: "JACK's mode",
        comparison: "jackd with -S against without, 64 frames",
        good: usual,
        bad: OwnServer.configuration("doctor", isSynchronous: false),
      ),
    ]
    var impossible = [
      SettingCost(subject: "kernel preemption", words: "it takes a restart with preempt=full"),
      SettingCost(subject: "interrupts", words: "it takes a restart with threadirqs"),
      SettingCost(
        subject: "locked memory",
        words: "it costs nothing until memory is short, and then up to a disk's answer",
      ),
    ]
    let governors = Governors()
    if let fault = governors.fault {
      impossible.insert(SettingCost(subject: "CPU governor", words: fault), at: 0)
    } else {
      possible.append(
        SettingTrial(
          subject: "CPU governor",
          comparison: "performance against \(governors.names)",
          good: usual,
          bad: usual,
          apply: { isGood throws(LabError) in try governors.apply(isGood) },
        )
      )
    }
    return (possible, impossible)
  }
}

/// The frequency governors of all processors, as they were found.
///
/// `deinit` restores the found values.
private final class Governors {
  private let found: [(path: String, name: String)]

  init() {
    let folder = "/sys/devices/system/cpu"
    found = Machine.this.names(in: folder).compactMap { entry in
      let path = "\(folder)/\(entry)/cpufreq/scaling_governor"
      return Machine.this.text(path).map { (path, $0) }
    }
  }

  deinit {
    guard fault == nil else { return }
    do throws(LabError) {
      try apply(false)
    } catch {
      let line = "warning: the CPU governor is not as it was found (\(names)): \(error)\n"
      let bytes = Array(line.utf8)
      _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
  }

  /// The governors found, as text.
  var names: String { Set(found.map(\.name)).sorted().joined(separator: ", ") }

  /// Why it cannot be tried; nil when it can.
  var fault: String? {
    if found.isEmpty { return "the processors have no governor (as in most virtual machines)" }
    if found.allSatisfy({ $0.name == "performance" }) { return "it is performance already" }
    let isWritable = found.allSatisfy { unsafe access($0.path, W_OK) == 0 }
    return isWritable ? nil : "this process may not change it; run it as root"
  }

  /// Sets all governors to performance, or to their former values.
  func apply(_ isGood: Bool) throws(LabError) {
    for (path, name) in found {
      let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
      let bytes = Array((isGood ? "performance" : name).utf8)
      let written = file < 0 ? -1 : unsafe write(file, bytes, bytes.count)
      if file >= 0 { close(file) }
      guard written == bytes.count else { throw LabError(.badFile, "\(path): cannot be written") }
    }
  }
}
