// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import SystemSupport
import Testing

/// Children that are started, read and reaped.
@Suite(.timeLimit(.minutes(1)))
struct ChildProcessTests {
  private static func shell(
    _ script: String,
    bond: ChildProcess.Bond = .bound,
    input: ChildProcess.Input = .null,
    output: ChildProcess.Output = .text(limitInBytes: 1 << 16),
  ) throws -> ChildProcess {
    try ChildProcess.start("sh", ["-c", script], bond: bond, input: input, output: output)
  }

  @Test func `a child's lines come one by one, and its end after them`() async throws {
    let lines = Mutex<[String]>([])
    let child = try Self.shell(
      "echo one; echo; echo two; printf three; exit 5",
      output: .lines { line in lines.withLock { $0.append(line) } },
    )
    let exit = try #require(await child.exit(within: nil))
    #expect(exit.status == 5)
    #expect(exit.signal == nil)
    #expect(exit.shellCode == 5)
    #expect(exit.lastLines == ["one", "two", "three"])
    #expect(lines.withLock { $0 } == exit.lastLines)
    // It is reaped, so its id is free.
    #expect(kill(exit.pid, 0) == -1)
    #expect(!child.isRunning)
  }

  @Test func `a signal that ends a child is its end`() async throws {
    let child = try Self.shell("kill -USR1 $$")
    let exit = try #require(await child.exit(within: nil))
    #expect(exit.signal == SIGUSR1)
    #expect(exit.status == nil)
    #expect(exit.shellCode == 128 + SIGUSR1)
  }

  @Test func `standard input comes from a descriptor, and no other descriptor is inherited`()
    async throws
  {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    _ = unsafe write(ends[1], "word\n", 5)
    close(ends[1])
    let child = try Self.shell("cat; ls /proc/self/fd", input: .descriptor(ends[0]))
    close(ends[0])
    _ = await child.exit(within: nil)
    // ls itself opens the folder.
    #expect(child.text(of: .output) == "word\n0\n1\n2\n3\n")
  }

  @Test func `variables are added to the environment`() async throws {
    let child = try ChildProcess.start(
      "env",
      environment: ["MULTIROUTE_TEST": "a=b"],
      bond: .detached,
      output: .text(limitInBytes: 1 << 16),
    )
    _ = await child.exit(within: nil)
    let lines = child.text(of: .output).split(separator: "\n")
    #expect(lines.contains("MULTIROUTE_TEST=a=b"))
    #expect(lines.contains { $0.hasPrefix("PATH=") })
  }

  @Test func `variables of the dynamic loader are not inherited, but for PipeWire's libjack`() {
    let safe = LoaderVariables.removed(from: [
      "PATH": "/bin", "LD_PRELOAD": "/x.so", "LD_AUDIT": "/x.so", "GCONV_PATH": "/x",
      "OLD_PATH": "/y", "LD_LIBRARY_PATH": "/x:/usr/lib/pipewire-0.3/jack:/y",
    ])
    #expect(
      safe == [
        "PATH": "/bin", "OLD_PATH": "/y", "LD_LIBRARY_PATH": "/usr/lib/pipewire-0.3/jack",
      ]
    )
    #expect(LoaderVariables.removed(from: ["LD_LIBRARY_PATH": "/x"]).isEmpty)
  }

  @Test func `output beyond the limit of a text is dropped, and the child goes on`() async throws {
    let child = try Self.shell("yes | head -c 1000000", output: .text(limitInBytes: 10))
    #expect(await child.exit(within: nil)?.status == 0)
    #expect(child.text(of: .output) == "y\ny\ny\ny\ny\n")
  }

  @Test func `a program that is missing or no program is an error of the start`() throws {
    let missing = #expect(throws: SystemError.self) {
      try ChildProcess.start("multiroute-no-such-program", bond: .bound)
    }
    #expect(missing?.code == ENOENT)
    let folder = #expect(throws: SystemError.self) {
      try ChildProcess.start("/tmp", bond: .bound)
    }
    #expect(folder?.code == EACCES)
    #expect(folder?.description == "/tmp: Permission denied")
  }

  @Test func `a grandchild that keeps the pipe open does not hold up the reaping`() async throws {
    let child = try Self.shell("sleep 60 & echo $!")
    let exit = await child.exit(within: .seconds(20))
    #expect(exit?.status == 0)
    let grandchild = try #require(Int32(child.text(of: .output).dropLast()))
    #expect(kill(grandchild, SIGKILL) == 0)
  }

  @Test func `a child that ignores SIGTERM is killed, and waiting blocks no thread`() async throws {
    let child = try Self.shell("trap '' TERM; echo ready; while :; do sleep 0.05; done")
    #expect(await child.exit(within: .milliseconds(1)) == nil)
    while child.text(of: .output).isEmpty { await Task.yield() }
    #expect(await child.end(within: .milliseconds(100)) == false)
    #expect(child.exit?.signal == SIGKILL)
    #expect(await child.end(within: .milliseconds(100)))
  }

  @Test func `a cancelled task waits all the same, and each waiting task hears of the end`()
    async throws
  {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe pipe(&ends) == 0)
    let child = try Self.shell("read line; exit 3", input: .descriptor(ends[0]))
    close(ends[0])
    let tasks = (0..<20).map { _ in Task { await child.exit(within: nil) } }
    for task in tasks { task.cancel() }
    close(ends[1])
    for task in tasks { #expect(await task.value?.status == 3) }
    #expect(child.waitForExit(within: .zero))
  }
}
