// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Programs in Python that use the C interface for routes, volumes and ports.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct InterfaceTests {
  @Test(.jackServer(channels: 4))
  func `VOL-4: a program in Python shows a route picker and a volume, and sets both`() async throws
  {
    let rig = try await SessionRig.running()
    let text = """
      import ctypes, os, time
      session = ctypes.CDLL(os.environ["MULTIROUTE_LIBRARY"])
      session.mr_session_output_volume.restype = ctypes.c_double
      def said(name):
        text = ctypes.create_string_buffer(512)
        getattr(session, name)(text, ctypes.c_size_t(512))
        return text.value.decode()
      def ask(name, *values):
        code = getattr(session, name)(*values)
        print(name, code, said("mr_session_last_error"), flush=True)
      ask("mr_session_set_category", b"playback", None, 0)
      ask("mr_session_activate")
      print(said("mr_session_routes"), flush=True)
      ask("mr_session_choose_route", b"speaker")
      print(said("mr_session_routes"), flush=True)
      ask("mr_session_choose_route", b"speakers")
      ask("mr_session_set_output_volume", ctypes.c_double(0.25))
      print("volume %.2f" % session.mr_session_output_volume(), flush=True)
      ask("mr_session_choose_route", None)
      print(said("mr_session_routes") + "end", flush=True)
      """
    let folder = (try Multiroute.path() as NSString).deletingLastPathComponent
    let program = RunningApp(
      child: try Child(
        "python3",
        [try rig.scratch.write(text, to: "picker.py")],
        environment: [
          "XDG_RUNTIME_DIR": rig.scratch.runtimeDirectory, "MULTIROUTE_HOST": rig.host.name,
          "MULTIROUTE_START": "never", "MULTIROUTE_APP": "picker",
          "MULTIROUTE_LIBRARY": folder + "/libmultiroute-session.so",
        ],
        in: rig.scratch,
      )
    )
    #expect(try await program.child.waitForEnd() == .code(0), "\(program.child.standardError)")
    let lines = program.child.standardOutput.split(separator: "\n").map(String.init)
    try #require(lines.count == 14, "\(lines)")
    #expect(lines[2] == "speaker\tspeaker\tSpeaker\t0\t0")
    #expect(lines[3] == "phones\tphones\tHeadphones\t1\t0")
    #expect(lines[4] == "mr_session_choose_route 0 ")
    #expect(lines[5] == "speaker\tspeaker\tSpeaker\t1\t1")
    #expect(lines[6] == "phones\tphones\tHeadphones\t0\t0")
    #expect(!lines[7].hasPrefix("mr_session_choose_route 0 "))
    #expect(lines[7].contains("did you mean 'speaker'"), "\(lines[7])")
    #expect(lines[8] == "mr_session_set_output_volume 0 ")
    #expect(lines[9] == "volume 0.25")
    #expect(lines[12] == "phones\tphones\tHeadphones\t1\t0")
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `INT-1: the JACK ports of a program in Python sound through its session`() async throws {
    let rig = try await SessionRig.running()
    let synth = try Player(
      [[Float](repeating: 0.5, count: 4_800)],
      loops: true,
      server: rig.server,
      name: "synth",
    )
    synth.start()
    let text = """
      import ctypes, os, sys
      session = ctypes.CDLL(os.environ["MULTIROUTE_LIBRARY"])
      def ask(name, *values):
        code = getattr(session, name)(*values)
        text = ctypes.create_string_buffer(512)
        if code: session.mr_session_last_error(text, ctypes.c_size_t(512))
        print(name, code, text.value.decode(), flush=True)
      ask("mr_session_set_category", b"playback", None, 0)
      ask("mr_session_set_ports", b"synth:out_*", 65)
      ask("mr_session_set_ports", b"synth:out_*", 1)
      ask("mr_session_activate")
      os.close(os.open(sys.argv[1], os.O_RDONLY))
      ask("mr_session_set_ports", None, 0)
      os.close(os.open(sys.argv[1], os.O_RDONLY))
      """
    let script = try rig.scratch.write(text, to: "ports.py")
    // The program goes on when the other end is opened for writing.
    let gate = rig.scratch.path + "/gate"
    #expect(unsafe mkfifo(gate, 0o600) == 0)
    let folder = (try Multiroute.path() as NSString).deletingLastPathComponent
    let program = RunningApp(
      child: try Child(
        "python3",
        [script, gate],
        environment: [
          "XDG_RUNTIME_DIR": rig.scratch.runtimeDirectory, "MULTIROUTE_HOST": rig.host.name,
          "MULTIROUTE_START": "never", "MULTIROUTE_APP": "synth-app",
          "MULTIROUTE_LIBRARY": folder + "/libmultiroute-session.so",
        ],
        in: rig.scratch,
      )
    )
    try await program.said("mr_session_activate 0 ")
    let refusal = program.child.standardOutput.split(separator: "\n").dropFirst().first ?? ""
    #expect(refusal.hasPrefix("mr_session_set_ports -50 "), "\(refusal)")
    #expect(refusal.contains("64"))
    let heard = try rig.recorder(["phones_out_1", "phones_out_2"])
    try await heard.waitForLevels([0.5, 0.5])
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await heard.waitForLevels([0, 0])
    try await rig.simulate(.interruptionEnd, class: .phone)
    _ = try await rig.client.call(ActivateSession.self, .init(session: "synth-app"))
    try await heard.waitForLevels([0.5, 0.5])
    try letThrough(gate)
    try await program.said("mr_session_set_ports 0 ", times: 2)
    try await heard.waitForLevels([0, 0])
    try letThrough(gate)
    #expect(try await program.child.waitForEnd() == .code(0), "\(program.child.standardError)")
    heard.recorder.close()
    synth.close()
    try await rig.end()
  }

  private func letThrough(_ gate: String) throws {
    let descriptor = unsafe open(gate, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure("\(gate) cannot be opened: errno \(errno)") }
    close(descriptor)
  }
}
