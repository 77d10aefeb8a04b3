// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// OSC with the programs of liblo.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OSCTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `oscsend sets, oscdump is told, and the command line agrees`() async throws {
    let rig = try await SurfaceRig.osc()
    let dumpPort = try await SurfaceRig.freePort()
    let dump = try Child("oscdump", ["-L", "\(dumpPort)"], in: rig.scratch)
    try await waitUntil("the subscriber has the state") {
      try await rig.oscsend("/subscribe", "sii", "/strip/toy", "60000", "\(dumpPort)")
      return dump.standardOutput.contains("/strip/toy/fader f 0.75")
    }
    try await rig.oscsend("/strip/toy/gain", "f", "-6.5")
    try await rig.waitForValue("/strip/toy/gain", .number(-6.5))
    try await waitUntil("the change is told") {
      dump.standardOutput.contains("/strip/toy/gain f -6.5")
    }
    try await rig.oscsend("/strip/*/mute", "T")
    try await rig.waitForValue("/strip/deck/mute", .flag(true))
    try await rig.oscsend("/strip/toy/fader", "f", "0.5")
    try await waitUntil("the gain of the fader is told") {
      dump.standardOutput.contains("/strip/toy/gain f -10.0")
    }
    try await rig.oscsend("/strip/toy/gain", "f", "-144")
    try await rig.waitForValue("/strip/toy/gain", .text("-inf"))
    let control = try await rig.host.control()
    _ = try await control.call(
      SetParameters.self,
      .init(values: [ParameterSetting(path: "/strip/toy/gain", value: .number(-3))])
    )
    await control.close()
    try await waitUntil("the change on the socket is told") {
      dump.standardOutput.contains("/strip/toy/gain f -3.0")
    }
    #expect(
      try await rig.host.status().surfaces == [
        SurfaceStatus(kind: "osc", port: rig.port, lan: false)
      ]
    )
    let shown = try await Multiroute.run("status", "--host", rig.host.name, in: rig.scratch)
    #expect(shown.standardOutput.contains("surface osc on port \(rig.port) of this machine"))
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a port in use is told, and the host plays on`() async throws {
    let rig = try await SurfaceRig.osc()
    let second = try await SurfaceRig { _ in ["--osc", "\(rig.port)"] }
    let error = try await second.host.waitForEvents(.error)
    #expect(error.first?.message.contains("port \(rig.port)") == true)
    #expect(try await second.host.status().surfaces.first?.fault != nil)
    #expect(try await second.value("/strip/toy/gain") == .number(0))
    #expect(try await second.host.stop() == .code(0))
    #expect(try await rig.host.stop() == .code(0))
  }
}
