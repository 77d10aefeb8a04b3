// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import JACK
import Patchbay
import Sessions
import TestSupport
import Testing

@testable import GraphFiles
@testable import Host

/// The clients that need no permission, and the listeners of outputs, on a scripted server.
struct CaptureExemptionTests {
  @Test(arguments: [nil, 2, 1] as [Int32?])
  func `a client named like an absent card hears a gate, unless it is the host's bridge`(
    _ bridge: Int32?
  ) async throws {
    let bench = try CaptureBench()
    // All clients of the bench are of process 1.
    await bench.act {
      $0.mainPorts = ["usb:playback_1"]
      $0.executables["usb"] = "/tmp/usb"
      $0.helpers["usb"] = bridge
      $0.ports.insert(Ports.input("usb:playback_1", physical: true))
      $0.ports.insert(Ports.input("usb:in"))
    }
    await bench.capture("usb")
    #expect(bench.isDirect("usb") == (bridge == 1))
    await bench.act { $0.mix = ["house:main_out_1": "system:capture_1"] }
    await bench.capture("usb", from: "house:main_out_1")
    #expect(bench.isDirect("usb", to: "house:main_out_1") == (bridge == 1))
  }

  @Test func `the server's hardware needs no permission`() async throws {
    let bench = try CaptureBench()
    await bench.act {
      $0.mix = ["house:main_out_1": "system:capture_1"]
      $0.ports.insert(Ports.input("system:in", physical: true))
    }
    await bench.capture("system")
    await bench.capture("system", from: "house:main_out_1")
    #expect(bench.isDirect("system"))
    #expect(bench.isDirect("system", to: "house:main_out_1"))
    #expect(bench.gates.gates.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a rule that leaves a client counts only where no permission is asked for`(
    _ asks: Bool
  ) async throws {
    let bench = try CaptureBench(permissions: asks ? "{}" : "")
    await bench.act { $0.rules["bad"] = GraphFile.Adoption() }
    await bench.answer("/usr/bin/bad", .denied)
    await bench.capture("bad")
    #expect(bench.isDirect("bad") == !asks)
  }

  @Test func `PRM-3 a monitor of hardware that plays a microphone needs the same yes`() async throws
  {
    let bench = try CaptureBench()
    await bench.act {
      $0.ports.insert(Ports.input("system:playback_1", physical: true))
      $0.ports.insert(Ports.output("system:monitor_1"))
      $0.links.insert(
        ConnectionPair(source: "house:main_out_1", destination: "system:playback_1")
      )
      $0.mix = ["house:main_out_1": "mpv:out_1"]
    }
    await bench.capture("rec", from: "system:monitor_1")
    #expect(bench.isDirect("rec", to: "system:monitor_1"))
    await bench.act {
      $0.mix = ["house:main_out_1": "system:capture_1"]
      $0.room.enforceOutputs()
    }
    #expect(!bench.isDirect("rec", to: "system:monitor_1"))
    await bench.answer("rec", .granted)
    #expect(bench.isDirect("rec", to: "system:monitor_1"))
  }

  @Test func `PRM-3 a recording of what carries a microphone needs the yes of who asks for it`()
    async throws
  {
    let bench = try CaptureBench()
    await bench.act { bench in
      bench.mix = ["house:main_out_1": "system:capture_1", "house:cue_out_1": "mpv:out_1"]
      bench.processes = [7: "/usr/bin/rec", 8: "/usr/bin/good", getpid(): "/usr/bin/multiroute"]
      bench.processes[9] = "/usr/bin/multiroute"
      let error = #expect(throws: ControlError.self) {
        try bench.room.refuseRecording(of: "main", by: 7)
      }
      #expect(error?.code == .refused)
      #expect(error?.message.contains("'main' carries a microphone") == true)
      #expect(throws: ControlError.self) {
        try bench.room.refuseRecording(of: "main", by: nil)
      }
      #expect(throws: Never.self) {
        try bench.room.refuseRecording(of: "cue", by: 7)
        // A program that may record, and the user's own tool.
        try bench.room.refuseRecording(of: "main", by: 8)
        try bench.room.refuseRecording(of: "main", by: 9)
      }
    }
  }

  @Test func `a bridge that gives audio to the host only is heard through a gate in any case`()
    async throws
  {
    let bench = try CaptureBench()
    await bench.act {
      $0.helpers["usb"] = 1
      $0.ports.insert(Ports.output("usb:capture_1", physical: true))
    }
    await bench.capture("good", from: "usb:capture_1")
    #expect(!bench.isDirect("good", to: "usb:capture_1"))
    #expect(bench.gates.gates.map(\.isOpen) == [true])
  }

  @Test func `a gate has as many approved connections as its program has made through the host`()
    async throws
  {
    let bench = try CaptureBench()
    await bench.act { $0.ports.insert(Ports.input("rec:in_2")) }
    await bench.capture("rec")
    #expect(bench.gates.approved == ["rec_1": 1])
    await bench.act { bench in
      // Its own second port, and then a stranger's.
      bench.room.enforce(source: "house-gates:rec_1", destination: "rec:in_2")
      #expect(bench.gates.approved == ["rec_1": 2])
      bench.room.enforce(source: "house-gates:rec_1", destination: "bad:in")
      #expect(bench.gates.approved["rec_1"] == 2)
      bench.room.disconnected(
        ConnectionPair(source: "house-gates:rec_1", destination: "rec:in_2")
      )
      #expect(bench.gates.approved["rec_1"] == 1)
    }
  }
}
