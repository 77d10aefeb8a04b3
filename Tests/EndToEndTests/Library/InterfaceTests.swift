// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// The examples of docs/examples, in C and Python, as a user runs them.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct InterfaceTests {
  @Test(.jackServer(channels: 4))
  func `ACT INT: programs in C and Python take part through the C interface`() async throws {
    let rig = try await SessionRig.running()
    let folder = (try Multiroute.path() as NSString).deletingLastPathComponent
    let program = rig.scratch.path + "/session"
    let compiler = try Child(
      "clang",
      [
        "-Wall", "-Wextra", "-Werror", "-I",
        Repository.path("Sources/CSessionInterface/include"),
        Repository.path("docs/examples/session.c"), "-o", program,
        "-L", folder, "-lmultiroute-session", "-Wl,-rpath,\(folder)",
      ],
      in: rig.scratch,
    )
    #expect(try await compiler.waitForEnd() == .code(0), "\(compiler.standardError)")
    let environment = [
      "XDG_RUNTIME_DIR": rig.scratch.runtimeDirectory, "MULTIROUTE_HOST": rig.host.name,
      "MULTIROUTE_START": "never", "MULTIROUTE_APP": "example",
      "MULTIROUTE_LIBRARY": folder + "/libmultiroute-session.so",
    ]
    let example = RunningApp(
      child: try Child(program, ["30"], environment: environment, in: rig.scratch)
    )
    try await example.said("output\tHeadphones\tphones\t2")
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await example.said("session: interrupted, reason 0")
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await example.said("session: the interruption is over, resume")
    try await waitUntil("it has resumed") {
      try await rig.host.status().sessions.first { $0.app == "example" }?.active == true
    }

    let script = RunningApp(
      child: try Child(
        "python3",
        [Repository.path("docs/examples/session.py"), "30"],
        environment: environment.merging(["MULTIROUTE_APP": "prompt"]) { $1 },
        in: rig.scratch,
      )
    )
    try await script.said("ducking others at 48000 Hz")
    let sessions = try await rig.host.status().sessions
    #expect(sessions.first { $0.app == "prompt" }?.active == true)
    script.child.send(SIGTERM)
    example.child.send(SIGTERM)
    _ = try await script.child.waitForEnd()
    _ = try await example.child.waitForEnd()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `SES-2: a program without a host gets an error, and does not hang`() async throws {
    let scratch = try Scratch()
    let folder = (try Multiroute.path() as NSString).deletingLastPathComponent
    let script = try Child(
      "python3",
      [Repository.path("docs/examples/session.py"), "1"],
      environment: [
        "XDG_RUNTIME_DIR": scratch.runtimeDirectory, "MULTIROUTE_START": "never",
        "MULTIROUTE_LIBRARY": folder + "/libmultiroute-session.so",
      ],
      in: scratch,
    )
    #expect(try await script.waitForEnd() == .code(1))
    #expect(
      script.standardError.contains("no MultiRoute host is running"),
      "\(script.standardError)"
    )
  }
}
