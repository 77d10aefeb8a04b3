// SPDX-License-Identifier: MIT

import Glibc
import SystemSupport
import TestSupport
import Testing

/// Files of /proc, of this machine and made-up ones.
struct MachineTests {
  /// A line of /proc/PID/stat.
  private static func stat(_ name: String, _ state: Character, flags: Int = 0, pending: Int = 0)
    -> String
  {
    var fields = [String](repeating: "0", count: 50)
    fields[0] = String(state)
    fields[6] = "\(flags)"
    fields[28] = "\(pending)"
    return "7 (\(name)) \(fields.joined(separator: " "))\n"
  }

  @Test(arguments: [
    (stat("jackd", "S"), Machine.ProcessState.runs),
    (stat("a ) S (b", "T"), .stopped),
    (stat("traced", "t"), .stopped),
    (stat("zombie", "Z"), .ended),
    (stat("exiting", "R", flags: 4), .ended),
    (stat("killed while it is stopped", "R", pending: 1 << 8), .ended),
    ("7 (cut) S 1", .ended),
    ("", .ended),
  ])
  func `the state of a process is that of its line`(line: String, state: Machine.ProcessState)
    throws
  {
    let machine = try MachineTree(["/proc/7/stat": line]).machine()
    #expect(machine.state(of: 7) == state)
    #expect(machine.state(of: 8) == .ended)
  }

  @Test(arguments: [("T", true), ("t", true), ("Z", true), ("S", false), ("R", false)])
  func `a process stands still once each of its threads does`(last: Character, isStill: Bool)
    throws
  {
    let machine = try MachineTree([
      "/proc/7/task/7/stat": Self.stat("first", "T"),
      "/proc/7/task/12/stat": Self.stat("another", last),
    ]).machine()
    #expect(machine.standsStill(7) == isStill)
    #expect(machine.standsStill(8), "it has ended")
  }

  @Test func `a process is known by its id and the time of its start`() throws {
    var fields = [String](repeating: "0", count: 50)
    fields[19] = "4711"
    let line = "7 (a ) b) \(fields.joined(separator: " "))\n"
    let machine = try MachineTree(["/proc/7/stat": line, "/proc/9/stat": "9 (cut) S 1"]).machine()
    #expect(machine.startTicks(of: 7) == 4_711)
    #expect(machine.startTicks(of: 8) == nil)
    #expect(machine.startTicks(of: 9) == nil)
    #expect(Machine.this.startTicks(of: getpid()) != nil)
  }

  @Test func `sockets are found by their whole path`() throws {
    let machine = try MachineTree([
      "/proc/net/unix": """
      Num       RefCount Protocol Flags    Type St Inode Path
      0000000000000000: 00000002 00000000 00010000 0001 01 111 /run/a
      0000000000000000: 00000003 00000000 00000000 0001 03 222 /run/a
      0000000000000000: 00000003 00000000 00000000 0001 03 333 /run/b/run/a
      0000000000000000: 00000003 00000000 00000000 0001 03 444
      """
    ]).machine()
    let found = machine.sockets(at: "/run/a")
    #expect(found.map(\.inode) == ["111", "222"])
    #expect(found.map(\.isListening) == [true, false])
    #expect(found.first?.link == "socket:[111]")
  }

  @Test func `this process is there, with its program and words`() {
    let pid = getpid()
    #expect(Machine.this.processes().contains(pid))
    #expect(Machine.this.state(of: pid) == .runs)
    #expect(Machine.this.commandLine(of: pid).first?.isEmpty == false)
    #expect(Machine.this.executable(of: pid)?.hasPrefix("/") == true)
    #expect(Machine.this.name(of: pid)?.isEmpty == false)
    #expect(Machine.this.program("sh")?.hasSuffix("/sh") == true)
    #expect(Machine.this.program("/bin/sh") == "/bin/sh")
    #expect(Machine.this.program("multiroute-no-such-program") == nil)
    #expect(Machine.environment["PATH"] == Machine.variable("PATH"))
  }
}
