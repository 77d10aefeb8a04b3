// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The rules for every page: its tables are narrow, its links have a target, and the files that it names exist.
@Suite("Pages of the documentation")
struct PageTests {
  /// One page, by its path in the repository.
  struct Page: CustomTestStringConvertible, Sendable {
    let path: String
    let text: String

    var testDescription: String { path }

    init(_ path: String) throws {
      self.path = path
      text = try String(contentsOfFile: ShippedGraphs.repositoryPath(path), encoding: .utf8)
    }

    /// The cells of the line, if it is a row of a table.
    static func cells(of line: Substring) -> [String] {
      guard line.hasPrefix("|") else { return [] }
      let bars = line.replacing("\\|", with: "/")
      return bars.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The texts between single back quotes outside of the blocks of code.
    var quotedNames: [String] {
      let blocks = text.components(separatedBy: "```")
      let prose = blocks.indices.filter { $0.isMultiple(of: 2) }.map { blocks[$0] }
      return prose.flatMap { part in
        part.matches(of: /`([^`\n]+)`/).map { String($0.output.1) }
      }
    }

    /// The targets of the links.
    var links: [String] { text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) } }

    /// The anchors of the headings.
    var anchors: Set<String> {
      Set(
        text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { heading in
          let words = heading.drop { $0 == "#" || $0 == " " }.lowercased()
          return words.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
            .replacing(" ", with: "-")
        }
      )
    }
  }

  static let longestCell = 120

  private static func pages() throws -> [Page] {
    let folder = ShippedGraphs.repositoryPath("docs")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(Page.init)
      + names.filter { $0.hasSuffix(".md") }.sorted().map { try Page("docs/\($0)") }
  }

  /// The paths of all files below `folder`.
  private static func files(below folder: String) throws -> [String] {
    let root = ShippedGraphs.repositoryPath(folder)
    let found = try #require(FileManager.default.enumerator(atPath: root))
    return found.compactMap { $0 as? String }
  }

  @Test("have no table cell of more than 120 characters")
  func cellsAreShort() throws {
    var cells = 0
    for page in try Self.pages() {
      for line in page.text.split(separator: "\n") {
        for cell in Page.cells(of: line) {
          cells += 1
          #expect(cell.count <= Self.longestCell, "\(page.path): \(cell)")
        }
      }
    }
    #expect(cells > 1000)
  }

  @Test("have links that lead to files and headings")
  func linksLeadSomewhere() throws {
    for page in try Self.pages() {
      for link in page.links where !link.contains("://") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let folder = (page.path as NSString).deletingLastPathComponent
        let path =
          parts[0].isEmpty ? page.path : (folder as NSString).appendingPathComponent("\(parts[0])")
        let target = (path as NSString).standardizingPath
        #expect(
          FileManager.default.fileExists(atPath: ShippedGraphs.repositoryPath(target)),
          "\(page.path): \(link)"
        )
        guard parts.count == 2, target.hasSuffix(".md") else { continue }
        #expect(try Page(target).anchors.contains("\(parts[1])"), "\(page.path): \(link)")
      }
    }
  }

  @Test("docs/architecture.md names only files that exist")
  func filesOfTheArchitectureExist() throws {
    let sources = try Self.files(below: "Sources")
    let names = try Page("docs/architecture.md").quotedNames.filter {
      $0.contains(/^[\w+\/-]+\.(swift|h|c|md|yaml)$/)
        || $0.contains(/^(Sources|Tests|scripts|graphs|docs|Host)\/[\w+\/-]+$/)
    }
    for name in names {
      let exists =
        FileManager.default.fileExists(atPath: ShippedGraphs.repositoryPath(name))
        || sources.contains { $0 == name || $0.hasSuffix("/\(name)") }
      #expect(exists, "\(name)")
    }
    #expect(names.contains("Package.swift"))
  }

  @Test("docs/architecture.md names every module, and no other")
  func modulesOfTheArchitectureExist() throws {
    let page = try Page("docs/architecture.md")
    let start = try #require(page.text.range(of: "\n## Modules\n"))
    let section = page.text[start.upperBound...]
    let end = section.range(of: "\n## ")?.lowerBound ?? section.endIndex
    let named = Set(
      section[..<end].split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
        Page.cells(of: line)[0].matches(of: /`([\w-]+)`/).map { String($0.output.1) }
      }
    )
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: ShippedGraphs.repositoryPath("Sources")
    )
    #expect(named == Set(folders).subtracting(["Examples"]))
  }

  @Test("docs/sessions.md names the files and tests that decide its rules")
  func filesOfTheRulesExist() throws {
    let page = try Page("docs/sessions.md")
    let sources = try Self.files(below: "Sources")
    let tests = try Self.files(below: "Tests")
    let start = try #require(page.text.range(of: "| rules | decided in | tested in |\n"))
    let rows = page.text[start.upperBound...].split(separator: "\n").dropFirst()
      .prefix { $0.hasPrefix("|") }.map(Page.cells)
    #expect(rows.count > 15)
    for row in rows {
      for (cell, files) in [(row[1], sources), (row[2], tests)] {
        for name in cell.matches(of: /`([\w+]+)`/).map({ "\($0.output.1).swift" }) {
          #expect(files.contains { $0 == name || $0.hasSuffix("/\(name)") }, "\(name)")
        }
      }
    }
  }
}
