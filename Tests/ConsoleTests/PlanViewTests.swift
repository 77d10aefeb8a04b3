// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Console

/// Plans of versions of a graph as text.
struct PlanViewTests {
  private static let plan = {
    var plan = GraphPlan()
    plan.changes = [
      .init(part: "source mic", kind: .added),
      .init(part: "route pa", kind: .renamed, was: "main"),
      .init(
        part: "route pa",
        kind: .changed,
        values: [.init(key: "gain", from: "0 dB", to: "-6 dB")]
      ),
      .init(
        part: "adoption rule 2 (client /mpv.*/)",
        kind: .changed,
        values: [
          .init(key: "session.preset", from: "player", to: "musicMaking"),
          .init(
            key: "routes",
            from: nil,
            to: "[main, headphones, second-card, third-card, monitor]"
          ),
        ],
      ),
      .init(part: "recorder tape", kind: .gone),
    ]
    plan.heard = [
      .init(strip: "mic", effect: .fadesIn, rampMilliseconds: 5, reason: "it is new"),
      .init(route: "pa", effect: .ramps, rampMilliseconds: 5, reason: "its gain changes"),
      .init(
        strip: "deck-a",
        effect: .pauses,
        rampMilliseconds: 5,
        silentMilliseconds: 12.5,
        reason: "'file' changes",
      ),
      .init(
        route: "card",
        effect: .pauses,
        rampMilliseconds: 5,
        silentMilliseconds: nil,
        reason: "'device' changes",
      ),
    ]
    plan.sessions = [
      .init(session: "radio", app: "radio", effect: .ducked, reason: "to -20 dB (ACT-3)"),
      .init(
        session: "rec-2",
        app: "rec",
        effect: .losesRecording,
        reason: "its permission is denied now"
      ),
    ]
    plan.hardware = [.init(value: "ioBufferFrames", from: 256, to: 128)]
    plan.server = .init(
      effect: .restarts,
      silentMilliseconds: 212,
      reason: "another sample rate needs a new start",
    )
    return plan
  }()

  @Test func `a plan has a line for each change, and for each thing that is heard`() {
    #expect(
      PlanView.lines(Self.plan, path: "dj.yaml") == [
        "dj.yaml: 5 changes",
        "  added source mic",
        "  renamed route pa, was main",
        "  changed route pa: gain 0 dB → -6 dB",
        "  changed adoption rule 2 (client /mpv.*/):",
        "      session.preset player → musicMaking",
        "      routes none → [main, headphones, second-card, third-card, monitor]",
        "  gone recorder tape",
        "",
        "heard:",
        "  strip mic fades in over 5 ms: it is new",
        "  route pa ramps over 5 ms: its gain changes",
        "  strip deck-a fades out over 5 ms, is silent for 13 ms and fades in again over",
        "    5 ms: 'file' changes",
        "  route card fades out over 5 ms, is silent for as long as its device or program",
        "    takes and fades in again over 5 ms: 'device' changes",
        "",
        "sessions:",
        "  radio is lowered: to -20 dB (ACT-3)",
        "  rec-2 of rec may not record any more: its permission is denied now",
        "",
        "hardware:",
        "  I/O buffer 256 → 128 frames",
        "",
        "server:",
        "  the server is started anew, because another sample rate needs a new start;",
        "    everything is silent for about 212 ms, as the last time",
      ]
    )
  }

  @Test func `no line is wider than 80 columns, whatever the names`() {
    var plan = Self.plan
    for index in plan.changes.indices {
      plan.changes[index].part += " " + String(repeating: "word ", count: 30)
    }
    for index in plan.heard.indices {
      plan.heard[index].reason += String(repeating: " and", count: 40)
    }
    for line in PlanView.lines(plan, path: "g.yaml") { #expect(line.count <= 80, "\(line)") }
  }

  @Test func `nothing to do is one line, and silence is said`() {
    #expect(PlanView.lines(GraphPlan(), path: "g.yaml") == ["g.yaml: nothing to do"])
    var plan = GraphPlan()
    plan.changes = [
      .init(
        part: "keepPatches",
        kind: .changed,
        values: [.init(key: "keepPatches", from: "false", to: "true")]
      )
    ]
    #expect(PlanView.lines(plan, path: "g.yaml").last == "heard: nothing")
  }
}
