// SPDX-License-Identifier: MIT

import SystemSupport
import TestSupport
import Testing

@testable import Doctor

/// The doctor's findings about limits.
struct DoctorLimitsTests {
  @Test("A user without priority gets both commands; a member of audio only the first")
  func noPriority() throws {
    let stranger = try process(priority: "0", groups: "1000 ").machine().limits()
    let finding = try #require(stranger.about("real-time priority"))
    #expect(finding.severity == .problem)
    #expect(finding.remedy?.contains("limits.d/audio.conf") == true)
    #expect(finding.remedy?.contains("usermod -aG audio") == true)

    let member = try process(priority: "0", groups: "29 1000 ").machine().limits()
    let remedy = try #require(member.about("real-time priority")?.remedy)
    #expect(remedy.contains("limits.d/audio.conf") && !remedy.contains("usermod"))
  }

  @Test("Where a group has the limits already, joining it is enough")
  func grantingGroup() throws {
    let file = "/etc/security/limits.d/25-pw-rlimits.conf"
    let text = "# @audio - rtprio 1\n@pipewire   - rtprio  95\n"
    let stranger = try process(priority: "0", groups: "1000 ", [file: text]).machine().limits()
    let remedy = stranger.about("real-time priority")?.remedy
    #expect(remedy == "sudo usermod -aG pipewire \"$USER\"; then log in again")

    let member = try process(priority: "0", groups: "114 ", [file: text]).machine().limits()
    #expect(member.about("real-time priority")?.remedy?.hasPrefix("log out and in again") == true)
  }

  @Test(
    "The limit decides, unless a capability does",
    arguments: [
      ("95", "0000000000000000", Finding.Severity.ok),
      ("20", "0000000000000000", .advice),
      ("0", "0000000000000000", .problem),
      ("0", "0000000000800000", .ok),
      ("unlimited", "0000000000000000", .ok),
    ]
  )
  func priority(limit: String, capabilities: String, severity: Finding.Severity) throws {
    let machine = try process(priority: limit, capabilities: capabilities).machine()
    #expect(machine.limits().about("real-time priority")?.severity == severity)
    // The start of a host tells of it only where it is not allowed at all.
    #expect((Doctor.realtimeProblem(on: machine) != nil) == (severity == .problem))
  }

  @Test(
    "Locked memory and files",
    arguments: [
      ("8388608", "1024", Finding.Severity.advice, Finding.Severity.ok),
      ("unlimited", "256", .ok, .advice),
      ("268435456", "unlimited", .ok, .ok),
    ]
  )
  func memoryAndFiles(
    memory: String,
    files: String,
    memorySeverity: Finding.Severity,
    filesSeverity: Finding.Severity,
  ) throws {
    let findings = try process(priority: "95", memory: memory, files: files).machine().limits()
    #expect(findings.about("locked memory")?.severity == memorySeverity)
    #expect(findings.about("open files")?.severity == filesSeverity)
  }

  @Test(
    "Services of the user have at most the limits of their manager, whatever a login has",
    arguments: [("0", Finding.Severity.advice), ("20", .advice), ("95", .ok), ("unlimited", .ok)]
  )
  func userServices(limit: String, severity: Finding.Severity) throws {
    func manager(_ pid: Int, user: String, limit: String) -> [String: String] {
      [
        "/proc/\(pid)/comm": "systemd\n", "/proc/\(pid)/cmdline": "/lib/systemd/systemd\0--user\0",
        "/proc/\(pid)/status": "Name:\tsystemd\nUid:\t\(user)\t\(user)\t\(user)\t\(user)\n",
        "/proc/\(pid)/limits": "Max realtime priority     0                    \(limit)\n",
      ]
    }
    let own = ["/proc/self/status": "Name:\tx\nUid:\t1000\t1000\t1000\t1000\nGroups:\t\n"]
    let others = manager(700, user: "33", limit: severity == .ok ? "0" : "95")
    let files = own.merging(others) { $1 }.merging(manager(800, user: "1000", limit: limit)) { $1 }
    let findings = try process(priority: "95", files).machine().limits()
    let finding = try #require(findings.about("real-time priority of user services"))
    #expect(finding.severity == severity)
    #expect((finding.remedy?.contains("user@.service.d/audio.conf") == true) == (severity != .ok))
    let alone = try process(priority: "95", own).machine().limits()
    #expect(alone.about("real-time priority of user services") == nil)
  }

  private func process(
    priority: String,
    memory: String = "8388608",
    files: String = "1024",
    groups: String = "",
    capabilities: String = "0000000000000000",
    _ more: [String: String] = [:],
  ) throws -> MachineTree {
    let limits = """
      Limit                     Soft Limit           Hard Limit           Units
      Max open files            \(files)                 20000                files
      Max locked memory         \(memory)              8388608              bytes
      Max realtime priority     \(priority)                    0
      """
    let own = [
      "/proc/self/limits": limits,
      "/proc/self/status": "Name:\tx\nGroups:\t\(groups)\nCapEff:\t\(capabilities)\n",
      "/etc/group": "root:x:0:\naudio:x:29:somebody\npipewire:x:114:\n",
    ]
    return try MachineTree(own.merging(more) { $1 })
  }
}

extension [Finding] {
  /// The only finding about a subject.
  func about(_ subject: String) -> Finding? {
    let fitting = filter { $0.subject == subject }
    return fitting.count == 1 ? fitting[0] : nil
  }
}
