// SPDX-License-Identifier: MIT

import JACK
import Testing

@testable import Host

/// The names under which programs are known, and how long.
struct ProgramTests {
  @Test(arguments: [
    ("vlc_4711", "vlc"), ("MPlayer [4711]", "MPlayer"), ("mpv", "mpv"), ("synth_12", "synth_12"),
    ("4711", "4711"), ("vlc4711", "vlc4711"), ("mpv-01", "mpv-01"),
  ])
  func `a process id is no part of a program's name`(client: String, title: String) {
    let process = ClientProcess(pid: 4711, executable: "/usr/bin/anything")
    #expect(Program(client: client, process: process).title == title)
  }

  @Test func `a process that the server does not show is known by the number in the name`() {
    func title(_ client: String) -> String {
      Program(client: client, process: nil) { $0 == 4711 ? "vlc\n" : nil }.title
    }
    #expect(title("vlc_4711") == "vlc")
    #expect(title("VLC_4711") == "VLC")
    #expect(title("mpv_4711") == "mpv_4711")
    #expect(title("vlc_4712") == "vlc_4712")
  }

  @Test func `programs that were not there for half a year are forgotten`() {
    var state = KeptState()
    state.apps = ["old": KeptApp(gainDB: -1), "new": KeptApp(gainDB: -2)]
    state.note(present: ["old"], today: 20_000)
    #expect(state.seenDays == ["old": 20_000, "new": 20_000])
    state.note(present: ["new"], today: 20_181)
    #expect(state.apps == ["new": KeptApp(gainDB: -2)])
    #expect(state.seenDays == ["new": 20_181])
  }

  @Test func `at most 500 programs are kept, the latest ones`() {
    var state = KeptState()
    for number in 0..<600 {
      state.apps["app\(number)"] = KeptApp(gainDB: -1)
      state.seenDays["app\(number)"] = 1_000 + number / 100
    }
    state.note(present: [], today: 1_010)
    #expect(state.apps.count == KeptState.programLimit)
    #expect(state.apps["app0"] == nil && state.apps["app599"] != nil)
  }
}
