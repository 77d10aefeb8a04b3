// SPDX-License-Identifier: MIT

import Foundation
import Sessions
import Testing

@testable import GraphFiles

@Suite("docs/graph-files.md")
struct DocumentationTests {
  /// Every section of the decoder: its title and keys.
  static let sections: [(title: String, keys: [String])] = [
    section(RootKey.self), section(SessionKey.self), section(PreferredKey.self),
    section(ServerKey.self), section(ServerChannelsKey.self), section(RouteKey.self),
    section(LimiterKey.self), section(SourceKey.self), section(ToneKey.self),
    section(SendKey.self), section(ControlsKey.self), section(CrossfaderKey.self),
    section(CueKey.self), section(AppSessionKey.self), section(TowerKey.self),
    section(AdoptionKey.self), section(DuckKey.self), section(ClassesKey.self),
    section(PolicyKey.self), section(EventFileKey.self), section(EventKey.self),
    section(PermissionsKey.self), section(RecorderKey.self), section(DeviceKey.self),
    section(NJBridgeKey.self), section(JackTripKey.self),
    section(InsertKey.self), section(AdoptedStripKey.self), section(SendLevelKey.self),
    section(ControllerKey.self), section(ControllerFileKey.self), section(ControlMappingKey.self),
    section(ControlFeedbackKey.self), section(ControllerFeedbackKey.self),
    section(SurfacesKey.self), section(OSCKey.self),
    section(MackieUnitKey.self), section(XAirKey.self),
    section(OSCQueryKey.self), section(WebKey.self), section(PatchKey.self),
  ]

  private static func section<Key: SectionKey>(_ type: Key.Type) -> (String, [String]) {
    (Key.section, Key.allCases.map(\.rawValue))
  }

  private let text: String

  init() throws {
    let path = ShippedGraphs.repositoryPath("docs/graph-files.md")
    text = try String(contentsOfFile: path, encoding: .utf8)
  }

  /// The keys in the table under the heading of `title`.
  private func documentedKeys(_ title: String) throws -> [String] {
    let heading = try #require(text.range(of: "\n### `\(title)`\n"), "no heading for \(title)")
    let rest = text[heading.upperBound...]
    let block = rest[..<(rest.range(of: "\n##")?.lowerBound ?? rest.endIndex)]
    let table = try #require(block.range(of: "| key | type | default | meaning |\n"))
    return block[table.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("|") }.dropFirst()
      .map { String($0.dropFirst(3).prefix { $0 != "`" }) }
  }

  @Test("has the keys of the decoder, all of them and no others", arguments: sections)
  func keys(title: String, keys: [String]) throws {
    #expect(try documentedKeys(title).sorted() == keys.sorted())
  }

  @Test("is checked against every section of the decoder")
  func sectionsAreComplete() throws {
    let folder = ShippedGraphs.repositoryPath("Sources/GraphFiles")
    let files = try #require(FileManager.default.enumerator(atPath: folder))
    let declared = try files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map {
      try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        .components(separatedBy: ": String, SectionKey {").count - 1
    }
    #expect(declared.reduce(0, +) == Self.sections.count)
  }

  @Test("has every name that a value can be")
  func choices() {
    let names =
      PortType.allCases.map(\.name) + Category.inGraphFiles.map(\.name)
      + Mode.allCases.map(\.name) + CategoryOptions.named.map(\.name)
      + GraphFile.Server.Start.allCases.map(\.rawValue)
      + GraphFile.Server.Driver.allCases.map(\.rawValue)
      + GraphFile.Source.Wave.allCases.map(\.rawValue)
      + GraphFile.Crossfader.Curve.allCases.map(\.rawValue)
      + GraphFile.Route.Direction.allCases.map(\.rawValue)
      + Preset.allCases.map(\.rawValue)
      + PriorityClass.allCases.map(\.rawValue)
      + GraphFile.Permission.allCases.map(\.rawValue)
      + GraphFile.Recorder.Format.allCases.map(\.rawValue)
      + GraphFile.Recorder.Samples.allCases.map(\.rawValue)
      + GraphFile.NodeUse.Restart.allCases.map(\.rawValue)
      + GraphFile.MeterTap.allCases.map(\.rawValue)
      + MIDIControl.RelativeEncoding.allCases.map(\.rawValue)
      + ControlMapping.ButtonMode.allCases.map(\.rawValue)
      + ControlMapping.Takeover.allCases.map(\.rawValue)
    #expect(names.filter { !text.contains("`\($0)`") } == [])
  }

  /// The examples, in the order of the page: a whole graph, then a fragment for each of some sections.
  private var examples: [String] {
    text.components(separatedBy: "```yaml\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  @Test("shows a graph without faults")
  func example() throws {
    #expect(faults(of: try #require(examples.first)) == [])
  }

  @Test("shows fragments that make a graph without faults together")
  func fragments() {
    let fragments = examples.dropFirst()
    #expect(fragments.count >= 5)
    let head = "multiroute: 1\nsession: {options: [mixWithOthers]}\n"
    #expect(faults(of: head + fragments.joined()) == [])
  }
}
