// SPDX-License-Identifier: MIT

import Console
import ControlProtocol
import Sessions
import Testing

struct StatusViewTests {
  private static func strip(
    _ id: String,
    gainDB: Double = 0,
    muted: Bool = false,
    cue: Bool = false,
    side: CrossfaderSide? = nil,
    meter: MeterTap = .post,
  ) -> StripStatus {
    StripStatus(
      id: id,
      source: "file \(id).flac",
      gainDB: gainDB,
      muted: muted,
      solo: false,
      cue: cue,
      pan: 0,
      crossfaderSide: side,
      meter: meter,
    )
  }

  private static func session(
    _ id: String,
    class priorityClass: PriorityClass = .app,
    _ change: (inout SessionStatus) -> Void,
  ) -> SessionStatus {
    var session = SessionStatus(
      id: id,
      app: id,
      category: .playback,
      mode: .default,
      options: [],
      active: true,
      priorityClass: priorityClass,
      strips: [],
      sounding: true,
      silentForLong: false,
      interruptedBy: nil,
      duckedBy: [],
      duckGainDB: 0,
      sinceMonotonicNanoseconds: 1_000_000_000,
      rule: nil,
      preferred: PreferredValues(
        sampleRateHz: nil,
        ioBufferDurationSeconds: nil,
        inputChannels: nil,
        outputChannels: nil,
      ),
    )
    change(&session)
    return session
  }

  @Test func `strips say their gain, side and state`() throws {
    let lines = StatusView.lines(
      Statuses.host(
        strips: [
          Self.strip("deck-a", gainDB: -6, side: .a),
          Self.strip("voice", gainDB: -.infinity, muted: true, cue: true),
          Self.strip("deck-b", meter: .pre),
        ],
        crossfader: CrossfaderStatus(position: -0.25, curve: "equalPower"),
      )
    )
    #expect(lines[0].contains("\"dj\", pid 7"))
    let deck = try #require(lines.first { $0.hasPrefix("deck-a") })
    #expect(deck.contains("-6.0 dB"))
    #expect(deck.hasSuffix("A"))
    let voice = try #require(lines.first { $0.hasPrefix("voice") })
    #expect(voice.contains("-inf dB"))
    #expect(voice.hasSuffix("muted, cue"))
    #expect(lines.first { $0.hasPrefix("deck-b") }?.hasSuffix("meter pre") == true)
    #expect(lines.contains { $0.hasPrefix("crossfader at -0.25, curve equalPower") })
  }

  @Test func `sessions say who silences or lowers them, since when, and by which rule`() throws {
    let lines = StatusView.lines(
      Statuses.host(
        sessions: [
          Self.session("deck") {
            $0.interruptedBy = .session("call")
            $0.silence = "deck is silent because it is interrupted by call."
            $0.rule = NamedIfKnown(.act4)
          },
          Self.session("tune") {
            $0.duckedBy = ["say"]
            $0.duckGainDB = -14
            $0.rule = NamedIfKnown(.act3)
          },
          Self.session("say", class: .assistant) { _ in },
          Self.session("game") {
            $0.sounding = false
            $0.silence = "game is silent because its strip 'game' is muted."
          },
        ]
      ),
      monotonicNanoseconds: 76_500_000_000,
    )
    func words(_ id: String) -> String? {
      lines.first { $0.hasPrefix(id) }?.split(separator: " ").joined(separator: " ")
    }
    #expect(words("deck")?.hasSuffix("interrupted by call 75 s ACT-4") == true)
    #expect(words("tune")?.hasSuffix("-14.0 dB by say 75 s ACT-3") == true)
    #expect(words("say")?.hasSuffix("assistant playback default yes heard 75 s") == true)
    #expect(words("game")?.hasSuffix("silent 75 s") == true)
    #expect(lines.contains("game is silent because its strip 'game' is muted."))
    #expect(!lines.contains("deck is silent because it is interrupted by call."))
  }

  @Test func `missing parts are left out`() {
    let text = StatusView.lines(Statuses.host()).joined(separator: "\n")
    #expect(!text.contains("crossfader"))
    #expect(!text.contains("callback"))
    #expect(text.contains("1234 cycles, 5 xruns, load 2.3 %"))
  }

  @Test func `sends and callback times are shown`() throws {
    let lines = StatusView.lines(
      Statuses.host(
        sends: [SendStatus(strip: "a", route: "main", gainDB: -3, muted: true, cells: [])],
        callback: Percentiles(p50: 5, p90: 6, p99: 7, p999: 38.66, max: 54.27),
      )
    )
    #expect(lines.contains { $0.hasPrefix("a") && $0.hasSuffix("muted") })
    let engine = try #require(lines.first { $0.hasPrefix("engine") })
    #expect(engine.contains("p50 5 µs"))
    #expect(engine.contains("p99.9 38.7 µs"))
    #expect(engine.contains("max 54.3 µs"))
  }

  @Test func `PRM-4 an alarm stands behind the host's line`() {
    let alarm = AlarmStatus(
      rule: .prm1,
      app: "memo",
      executable: "/usr/bin/memo",
      client: "memo_1",
      capture: "system:capture_1",
      port: "memo_1:in",
      attempts: 12,
    )
    #expect(
      StatusView.lines(Statuses.host(alarms: [alarm]))[1]
        == "ALARM: 'memo' (/usr/bin/memo, client memo_1) has connected system:capture_1 to memo_1:in 12 times "
        + "without permission; each time it was cut (PRM-1)"
    )
  }

  @Test func `nodes that were late are shown, and none that was in time`() {
    let lines = StatusView.lines(
      Statuses.host(handovers: [
        HandoverStatus(strip: "keys", misses: 1, missedCycles: 75),
        HandoverStatus(strip: "deck", misses: 0, missedCycles: 0),
      ])
    )
    #expect(lines.contains("nodes of strip keys: late 1 time, 75 cycles without them"))
    #expect(!lines.contains { $0.contains("nodes of strip deck") })
  }

  /// The host of `graphs/dj-split.yaml` with four sessions, of which one is interrupted and one lowered.
  private static func busy(sessions: Int = 4) -> HostStatus {
    let names = ["dj", "alarm-clock", "navigation", "firefox"]
    var status = Statuses.host(
      routes: [
        Statuses.route("main", available: true), Statuses.route("headphones", available: true),
      ],
      strips: ["deck-a", "deck-b", "navigation", "firefox"].map {
        strip($0, side: .a, meter: .pre)
      },
      sends: ["deck-a", "deck-b", "navigation", "firefox"].map {
        SendStatus(strip: $0, route: "main", gainDB: 0, muted: false, cells: [])
      },
      crossfader: CrossfaderStatus(position: -1, curve: "equalPower"),
      sessions: (0..<sessions).map { number in
        session(number < names.count ? names[number] : "app-\(number)") {
          if number == 0 { $0.interruptedBy = .session("alarm-clock") }
          if number == 3 {
            $0.duckedBy = ["navigation"]
            $0.duckGainDB = -14
          }
          $0.rule = NamedIfKnown(.act4)
        }
      },
      callback: Percentiles(p50: 38.25, p90: 44, p99: 51, p999: 62.66, max: 154.27),
    )
    status.host.graph = "/usr/share/multiroute/graphs/dj-split.yaml"
    status.engine.lastXrun = XrunStatus(
      time: EventTime(frame: nil, monotonicNanoseconds: 0, wallSeconds: 0),
      delayMicroseconds: 5_321,
      cause: "the client 'mixxx' took 4.9 ms of a period of 5 ms",
    )
    return status
  }

  /// The words of a text, in their order.
  private static func words(_ lines: some Sequence<String>) -> [Substring] {
    lines.flatMap { $0.split(separator: " ") }
  }

  @Test func `on 80 columns and 24 rows a watched host shows its sessions and late cycles`() throws
  {
    let style = ScreenStyle(columns: 80, rows: 24)
    let status = Self.busy()
    let all = StatusView.watched(status, monotonicNanoseconds: 76_500_000_000, style: style)
    #expect(all.allSatisfy { WrappedText.columns($0) <= 80 })
    let seen = style.fitted(all) { "\($0) more" }
    #expect(seen.count == 24)
    let text = seen.joined(separator: " ")
    #expect(text.contains("1234 cycles, 5 xruns, load 2.3 %"))
    #expect(text.contains("last xrun: late by 5321 µs; the client 'mixxx' took 4.9 ms"))
    #expect(text.contains("asynchronous: one period more at the output"))
    // One line for each session, with its state, since when, and the rule.
    let lines = seen.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains("dj playback yes interrupted by alarm-clock 75 s ACT-4"))
    #expect(lines.contains("firefox playback yes -14.0 dB by navigation 75 s ACT-4"))
    #expect(lines.contains { $0.hasPrefix("navigation playback") && $0.contains(" heard ") })
    // The mix follows.
    #expect(seen.contains { $0.hasPrefix("deck-a ") })
    // No word is broken: each is one of those that a wide terminal shows.
    let wide = StatusView.watched(
      status,
      monotonicNanoseconds: 76_500_000_000,
      style: ScreenStyle(columns: 1_000, rows: 24),
    )
    #expect(Set(Self.words(all)).isSubset(of: Set(Self.words(wide))))
  }

  @Test func `long lists end with their number, so that the mix is still seen`() {
    let style = ScreenStyle(columns: 80, rows: 24)
    var status = Self.busy(sessions: 40)
    let alarm = AlarmStatus(
      rule: .prm1,
      app: "memo",
      executable: nil,
      client: "memo_1",
      capture: "system:capture_1",
      port: "memo_1:in",
      attempts: 12,
    )
    status.alarms = Array(repeating: alarm, count: 5)
    let lines = style.fitted(
      StatusView.watched(status, monotonicNanoseconds: 76_500_000_000, style: style)
    ) { "\($0) more" }
    #expect(lines.contains("and 2 more alarms"))
    #expect(lines.contains("and 37 more sessions"))
    #expect(lines.contains { $0.hasPrefix("strip ") })
  }

  @Test(arguments: [60, 80, 100, 120])
  func `a status fits the terminal, and no word of a usual graph is broken at 80 columns`(
    width: Int
  ) {
    let now: UInt64 = 76_500_000_000
    let lines = StatusView.lines(Self.busy(), monotonicNanoseconds: now, width: width)
    #expect(lines.allSatisfy { WrappedText.columns($0) <= width })
    let whole = StatusView.lines(Self.busy(), monotonicNanoseconds: now)
    if width >= 80 {
      #expect(Set(Self.words(lines)).isSubset(of: Set(Self.words(whole))))
    }
    // Nothing that says who is heard is left out.
    for name in ["dj", "alarm-clock", "navigation", "firefox"] {
      #expect(lines.contains { $0.hasPrefix("\(name) ") })
    }
  }
}
