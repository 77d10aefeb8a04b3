// SPDX-License-Identifier: MIT

import Testing

@testable import SystemSupport

/// Tools of other packages.
@Suite(.timeLimit(.minutes(1)))
struct ToolProcessTests {
  @Test("Exit code, both streams and the changed environment")
  func output() async throws {
    let shell = ToolProcess(name: "sh", package: "dash", environment: ["PLACE": "here"])
    let output = try await shell.run(["-c", "echo $PLACE; echo a fault >&2; exit 3"])
    #expect(output == ToolOutput(exitCode: 3, standardOutput: "here\n", standardError: "a fault\n"))
    #expect(!output.isSuccess)
    #expect(output.fault == "here")
  }

  @Test("A tool that is not there names its package")
  func missing() async throws {
    let tool = ToolProcess(name: "multiroute-no-such-tool", package: "tool-package")
    let error = await #expect(throws: ToolError.self) { try await tool.run([]) }
    #expect(error?.description.contains("apt install tool-package") == true)
  }

  @Test("A tool that does not end is ended, also when it ignores the first signal")
  func timeLimit() async throws {
    let shell = ToolProcess(name: "sh", package: "dash", timeLimit: .milliseconds(100))
    let error = await #expect(throws: ToolError.self) {
      try await shell.run(["-c", "trap '' TERM; while :; do sleep 0.05; done"])
    }
    #expect(error?.description.contains("did not end within") == true)
  }

  @Test("A tool that a signal ends has no exit code")
  func signal() async throws {
    let output = try await ToolProcess(name: "sh", package: "dash").run(["-c", "kill -9 $$"])
    #expect(output.exitCode == nil)
    #expect(output.fault == "ended by a signal")
  }
}
