// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Patchbay
import Sessions
import TestSupport
import Testing

@testable import Host

/// Connections that are cut and made again (PRM-1, PRM-3), on a scripted server.
struct CaptureCutTests {
  @Test func `PRM-3 an output that carries a microphone needs the same yes`() async throws {
    let bench = try CaptureBench()
    await bench.act {
      $0.mix = ["house:main_out_1": "system:capture_1", "house:cue_out_1": "mpv:out_1"]
    }
    await bench.capture("rec", from: "house:main_out_1")
    #expect(!bench.isDirect("rec", to: "house:main_out_1"))
    #expect(bench.kinds.count { $0 == "permission" } == 1)
    #expect(bench.events.contains { $0.message.hasPrefix("PRM-3 house:main_out_1") })
    let entry = bench.room.listPermissions().programs.first { $0.program == "rec" }
    #expect(entry?.clients == ["rec"])
    await bench.capture("rec", from: "house:cue_out_1")
    await bench.capture("good", from: "house:main_out_1")
    #expect(bench.isDirect("rec", to: "house:cue_out_1"))
    #expect(bench.isDirect("good", to: "house:main_out_1"))

    await bench.answer("rec", .granted)
    #expect(bench.isDirect("rec", to: "house:main_out_1"))
    await bench.answer("rec", .denied)
    #expect(!bench.isDirect("rec", to: "house:main_out_1"))
  }

  @Test func `PRM-3 a program that hears a microphone passes it on`() async throws {
    let bench = try CaptureBench()
    await bench.act { $0.mix = ["house:main_out_1": "good:out_1"] }
    await bench.capture("rec", from: "house:main_out_1")
    #expect(bench.isDirect("rec", to: "house:main_out_1"))
    await bench.capture("good")
    // The outputs are looked at again after every change of the patch.
    await bench.act { $0.room.enforceOutputs() }
    #expect(!bench.isDirect("rec", to: "house:main_out_1"))
    await bench.act {
      $0.mix = [:]
      $0.room.settle()
    }
    #expect(bench.isDirect("rec", to: "house:main_out_1"))
  }

  @Test func `PRM-3 without permissions in the graph only denied programs lose outputs`()
    async throws
  {
    let bench = try CaptureBench(permissions: "")
    await bench.act { $0.mix = ["house:main_out_1": "system:capture_1"] }
    await bench.capture("rec", from: "house:main_out_1")
    #expect(bench.isDirect("rec", to: "house:main_out_1"))
    await bench.answer("rec", .denied)
    await bench.answer("/usr/bin/rec", .denied)
    #expect(!bench.isDirect("rec", to: "house:main_out_1"))
  }

  @Test func `PRM-1 a new program is cut before its process is looked for`() async throws {
    let bench = try CaptureBench()
    await bench.act { bench in
      bench.whenAsked = { bench.wasDirectWhenAsked = bench.isDirect("rec") }
    }
    await bench.capture("rec")
    #expect(bench.wasDirectWhenAsked == false)
    await bench.capture("good")
    // It may record: its connection is made again.
    #expect(bench.isDirect("good"))
  }

  @Test func `silence is explained with its remedy`() async throws {
    let bench = try CaptureBench()
    await bench.capture("bad")
    let why = bench.room.explanations(of: "bad")
    #expect(why.map(\.sentence) == ["bad records silence: 'bad' may not record."])
    #expect(why.first?.remedy?.contains("multiroute permission grant bad") == true)
  }

  @Test func `PRM-3 an output that is withheld is explained with its remedy`() async throws {
    let bench = try CaptureBench()
    await bench.act { $0.mix = ["house:main_out_1": "system:capture_1"] }
    await bench.capture("bad", from: "house:main_out_1")
    let why = bench.room.explanations(of: "bad")
    #expect(
      why.map(\.sentence) == [
        "bad is not connected to house:main_out_1, which carries a microphone: 'bad' may not record."
      ]
    )
    #expect(why.first?.rule == .prm3)
    #expect(why.first?.level == .silent)
    #expect(why.first?.remedy?.contains("multiroute permission grant bad") == true)
    await bench.answer("bad", .granted)
    #expect(bench.room.explanations(of: "bad").isEmpty)
  }

  @Test(arguments: [JACKError.Code.refused, .noSuchPort])
  func `a connection that cannot be given back is told of, unless its port has gone`(
    _ code: JACKError.Code
  ) async throws {
    let bench = try CaptureBench()
    let told = code == .noSuchPort ? 0 : 1
    await bench.act {
      $0.mix = ["house:main_out_1": "system:capture_1"]
      $0.connectFailure = JACKError(code, call: "jack_connect", subject: "a port")
    }
    // A new program is cut before it is identified; this one may record.
    await bench.capture("good")
    #expect(bench.errors.count { $0.contains("system:capture_1 back to good:in") } == told)
    await bench.capture("rec", from: "house:main_out_1")
    await bench.answer("rec", .granted)
    #expect(bench.errors.count { $0.contains("house:main_out_1 back to rec:in") } == told)
    #expect(bench.errors.count == 2 * told)
  }

  @Test func `a connection that cannot be cut is told of with its rule`() async throws {
    let bench = try CaptureBench()
    await bench.act {
      $0.mix = ["house:main_out_1": "system:capture_1"]
      $0.cutFailure = JACKError(.refused, call: "jack_disconnect", subject: "a port")
    }
    await bench.capture("bad")
    await bench.capture("bad", from: "house:main_out_1")
    #expect(bench.errors.count { $0.contains("system:capture_1 from bad:in (PRM-1)") } == 1)
    #expect(bench.errors.count { $0.contains("house:main_out_1 from bad:in (PRM-3)") } == 1)
  }
}
