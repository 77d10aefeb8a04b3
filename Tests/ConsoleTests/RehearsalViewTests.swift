// SPDX-License-Identifier: MIT

import Foundation
import FoundationXML
import Sessions
import Testing

@testable import Console

struct RehearsalViewTests {
  /// Two apps with long names, the second of which interrupts the first.
  private static let rehearsal: Rehearsal = {
    let names = ["a-player-with-a-name-that-is-too-long <&\"> for a column", "radio\u{1B}[31m"]
    var events: [TowerEvent.Kind] = [
      .routeAppeared(port: PortDescription(uid: "out", type: .lineOut, direction: .output))
    ]
    var playback = SessionConfiguration()
    try? playback.setCategory(.playback, options: [])
    for (index, name) in names.enumerated() {
      let id = SessionID(rawValue: UInt32(index))
      events += [
        .sessionOpened(
          request: nil,
          session: id,
          description: SessionDescription(app: name, configuration: playback),
        ), .ioStarted(session: id),
      ]
    }
    let entries = events.enumerated().map { index, kind in
      let time = UInt64(index) * 700_000_000
      return RehearsalEntry(
        events: [TowerEvent(timeNanoseconds: time, kind)],
        timeNanoseconds: time,
      )
    }
    return Rehearsal(
      of: RehearsalScript(start: TowerState(), entries: entries),
      with: RehearsedPolicy(configuration: TowerConfiguration()) { $0 },
    )
  }()

  @Test func `a table has 80 columns, whatever the names are, and each change with its rule`() {
    let lines = RehearsalView.lines(Self.rehearsal)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.first?.hasPrefix("time") == true)
    #expect(lines.contains { $0.contains("2.800 s") && $0.contains("ACT-2") })
    #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
  }

  @Test func `a comparison has 80 columns, and both states of each session`() {
    let left = RehearsedPolicy(configuration: TowerConfiguration()) { $0 }
    let nothing = Rehearsal(
      of: RehearsalScript(
        start: TowerState(),
        entries: Self.rehearsal.moments.map { _ in RehearsalEntry(events: [], timeNanoseconds: 0) },
      ),
      with: left,
    )
    let lines = RehearsalView.lines(RehearsalComparison(Self.rehearsal, nothing))
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.joined(separator: " ").contains("heard (ACT-1) → not there"))
  }

  @Test func `a time line is a picture with a row for each session, and the reasons as titles`()
    throws
  {
    let svg = RehearsalTimeline([(title: "a & b", rehearsal: Self.rehearsal)]).svg
    let document = try XMLDocument(xmlString: svg)
    let root = try #require(document.rootElement())
    #expect(root.name == "svg")
    let titles = try root.nodes(forXPath: "//*[local-name()='title']").compactMap(\.stringValue)
    #expect(titles.contains { $0.contains("interrupted by radio") && $0.contains("(ACT-2)") })
    #expect(titles.contains { $0.hasPrefix("2.800 s: ") })
    let texts = try root.nodes(forXPath: "//*[local-name()='text']").compactMap(\.stringValue)
    #expect(texts.contains("a & b"))
    #expect(texts.contains { $0.hasPrefix("a-player-with-a-n") })
    // Nothing is drawn outside of the picture.
    let spans = try root.nodes(forXPath: "//*[local-name()='rect'][@rx]").map { node in
      let element = try #require(node as? XMLElement)
      let (x, width) = (element.attribute(forName: "x"), element.attribute(forName: "width"))
      let from = try #require(Double(x?.stringValue ?? ""))
      return from...(from + (try #require(Double(width?.stringValue ?? ""))))
    }
    #expect(spans.count >= 3)
    #expect(spans.allSatisfy { $0.lowerBound >= 150 && $0.upperBound <= 1_050.1 }, "\(spans)")
  }

  @Test func `a refused session is told with its rule, though nothing changes`() throws {
    let entry = RehearsalEntry(
      events: [
        TowerEvent(
          timeNanoseconds: 0,
          .sessionOpened(
            request: nil,
            session: SessionID(rawValue: 1),
            description: SessionDescription(app: "bell", priorityClass: .alarm),
          ),
        )
      ],
      timeNanoseconds: 0,
    )
    let rehearsal = Rehearsal(
      of: RehearsalScript(start: TowerState(), entries: [entry]),
      with: RehearsedPolicy(configuration: TowerConfiguration()) { $0 },
    )
    let line = try #require(RehearsalView.lines(rehearsal).first { $0.contains("bell") })
    #expect(line.contains("refused:") && line.hasSuffix("ACT-4"))
  }
}
