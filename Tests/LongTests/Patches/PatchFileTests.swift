// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Patch files with qjackctl itself.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct PatchFileTests {
  @Test(.jackServer(channels: 4))
  func `qjackctl activates what was exported`() async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    let programs = try PatchPrograms(server: server)
    let graph = try scratch.write(
      """
      multiroute: 1
      patches:
        - {connect: "my synth:out.1", to: system:playback_2, exclusive: destination}
        - {connect: /app-.*:left/, to: system:playback_1}
      """,
      to: "bay.yaml",
    )
    let bay = "\(scratch.path)/bay.xml"
    let exported = try await Multiroute.run(
      ["export", graph, "--format", "qjackctl", "-o", bay],
      in: scratch,
    )
    #expect(exported.end == .code(0), "\(exported)")
    let home = try scratch.makeFolder("home")
    try FileManager.default.createDirectory(
      atPath: "\(home)/rncbc.org",
      withIntermediateDirectories: true,
    )
    try """
    [Options]
    AlsaSeqEnabled=false
    SystemTray=false
    DBusEnabled=false
    JackDBusEnabled=false
    Singleton=false
    """.write(toFile: "\(home)/rncbc.org/QjackCtl.conf", atomically: false, encoding: .utf8)
    let qjackctl = try Child(
      "qjackctl",
      ["-a", bay],
      environment: [
        "HOME": home, "XDG_CONFIG_HOME": home, "XDG_RUNTIME_DIR": home,
        "QT_QPA_PLATFORM": "offscreen", "JACK_DEFAULT_SERVER": server,
      ],
      in: scratch,
    )
    try programs.start("my synth", outputs: ["out.1"])
    try programs.start("app-7", outputs: ["left"])
    try await programs.wait("my synth:out.1", for: ["system:playback_2"])
    try await programs.wait("app-7:left", for: ["system:playback_1"])
    try programs.connect("app-7:left", "system:playback_2")
    try await programs.wait("system:playback_2", for: ["my synth:out.1"])
    // Its polite end would be asked about in a dialogue.
    qjackctl.send(SIGKILL)
    _ = try await qjackctl.waitForEnd()
  }
}
