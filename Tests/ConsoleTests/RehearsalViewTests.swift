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
    let ends = try root.nodes(forXPath: "//*[local-name()='rect'][@rx]").compactMap { node in
      let element = try #require(node as? XMLElement)
      let x = Double(element.attribute(forName: "x")?.stringValue ?? "") ?? .nan
      return x + (Double(element.attribute(forName: "width")?.stringValue ?? "") ?? .nan)
    }
    #expect(!ends.isEmpty && ends.allSatisfy { (150...1_050.01).contains($0) })
  }
}
