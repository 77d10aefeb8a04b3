// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing

/// The process at the other end of a socket, and the file that a process runs.
struct IdentityTests {
  @Test func `a socket's other end is the process that made it, whoever inherits it`()
    async throws
  {
    let tree = try MachineTree(["empty": ""])
    let machine = tree.machine()
    defer { withExtendedLifetime(machine) {} }
    let path = machine.root + "/s"
    let listener = try ChildProcess.start(
      "python3",
      ["-c", Self.listener, path],
      bond: .bound,
      output: .text(limitInBytes: 1_000),
    )
    defer { listener.send(SIGKILL) }
    try await waitUntil("it listens") { listener.text(of: .output).contains("ready") }
    let socket = try connect(to: path)
    defer { close(socket) }
    // It has a child by now that holds the connection, and has closed its own descriptor.
    try await waitUntil("it has a child") { listener.text(of: .output).contains("passed on") }
    let ours = try #require(Machine.this.peers(of: getpid())).filter { $0.path == path }
    #expect(ours.map(\.pid) == [listener.pid])
    let child = try #require(
      Machine.this.processes().first { pid in
        pid != listener.pid && pid != getpid()
          && Machine.this.process(pid, holdsOneOf: Machine.this.sockets(at: path))
      }
    )
    // The end that was accepted names the process that connected itself.
    let theirs = try #require(Machine.this.peers(of: child))
    #expect(theirs.contains { $0.path.isEmpty && $0.pid == getpid() })
    kill(child, SIGKILL)
  }

  @Test func `a process that has ended has no sockets to look at`() async throws {
    let child = try ChildProcess.start("true", bond: .bound)
    #expect(await child.exit(within: .seconds(20)) != nil)
    #expect(Machine.this.peers(of: child.pid) == nil)
  }

  @Test func `a file is told from its copy, its replacement and its next contents`() throws {
    let tree = try MachineTree(["rec": "one"])
    let machine = tree.machine()
    let first = try #require(machine.identity(ofFile: "/rec"))
    #expect(machine.identity(ofFile: "/rec") == first)
    #expect(machine.identity(ofFile: "/none") == nil)
    #expect(machine.identity(ofFile: "/") == nil)
    try tree.write(Data("one".utf8), to: "copy/rec")
    #expect(machine.identity(ofFile: "/copy/rec") != first)
    // In place: the inode stays. Times of files have the resolution of the kernel's tick.
    var changed = first
    while changed == first {
      let file = try FileHandle(forWritingTo: URL(filePath: machine.root + "/rec"))
      try file.write(contentsOf: Data("two".utf8))
      try file.close()
      changed = try #require(machine.identity(ofFile: "/rec"))
    }
    #expect(changed.inode == first.inode)
    withExtendedLifetime(machine) {}
  }

  @Test func `a process is known by the file that it runs, also when that has no path any more`()
    throws
  {
    let tree = try MachineTree()
    let machine = tree.machine()
    let path = machine.root + "/sleeper"
    let installed = try #require(Machine.this.programFile("sleep"))
    try FileManager.default.copyItem(atPath: installed, toPath: path)
    let file = try #require(Machine.this.identity(ofFile: path))
    let child = try ChildProcess.start(path, ["60"], bond: .bound)
    defer { child.send(SIGKILL) }
    #expect(Machine.this.identity(ofExecutableOf: child.pid) == file)
    try FileManager.default.removeItem(atPath: path)
    let gone = try #require(Machine.this.identity(ofExecutableOf: child.pid))
    #expect(gone.device == file.device && gone.inode == file.inode)
    withExtendedLifetime(machine) {}
  }

  @Test func `a file that others can replace is not only root's`() throws {
    let installed = try #require(Machine.this.programFile("sleep"))
    #expect(Machine.this.isOnlyRoots(installed))
    #expect(!Machine.this.isOnlyRoots("sleep"))
    #expect(!Machine.this.isOnlyRoots("/no/such/file"))
    let tree = try MachineTree(["rec": ""])
    let machine = tree.machine()
    // In /tmp, whatever its owner is.
    #expect(!Machine.this.isOnlyRoots(machine.root + "/rec"))
    withExtendedLifetime(machine) {}
  }

  /// Listens, and gives the first connection to a child.
  private static let listener = """
    import os, socket, sys, time
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen()
    print("ready", flush=True)
    connection, _ = listener.accept()
    listener.close()
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
    connection.close()
    print("passed on", flush=True)
    time.sleep(60)
    """

  private func connect(to path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      for (index, byte) in path.utf8.enumerated() { unsafe bytes[index] = byte }
    }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, length)
      }
    }
    guard code == 0 else { throw TestFailure("cannot connect to \(path): \(errno)") }
    return descriptor
  }
}
