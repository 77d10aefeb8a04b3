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
    section(PermissionsKey.self), section(RecorderKey.self), section(DeviceKey.self),
    section(NJBridgeKey.self), section(JackTripKey.self),
    section(InsertKey.self),
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
    let folder = ShippedGraphs.repositoryPath("Sources/GraphFiles/Sections")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let declared = try files.map {
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
    #expect(names.filter { !text.contains("`\($0)`") } == [])
  }

  @Test("shows a graph without faults")
  func example() throws {
    let start = try #require(text.range(of: "```yaml\n"))
    let end = try #require(text[start.upperBound...].range(of: "```"))
    #expect(faults(of: String(text[start.upperBound..<end.lowerBound])) == [])
  }
}
