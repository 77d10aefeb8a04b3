// SPDX-License-Identifier: MIT

import Explorer
import Glibc

/// A line of the sources with an atomic operation.
struct SourceLine: Hashable, CustomStringConvertible {
  let file: String
  let number: Int

  var description: String { "\(file):\(number)" }
}

/// An ordering that is stronger than relaxed, and the operations that the compiler has made of it.
struct Ordering {
  let line: SourceLine
  /// As in C: 2 acquire, 3 release, 4 both.
  let order: Int32
  /// The numbers of its sites.
  var sites: [Int32]

  /// The orders that are one step weaker.
  var weaker: [(order: Int32, name: String)] {
    order == 4 ? [(3, "releasing"), (2, "acquiring")] : [(0, "relaxed")]
  }

  var name: String { order == 2 ? "acquiring" : order == 3 ? "releasing" : "acquiringAndReleasing" }
}

/// All orderings stronger than relaxed that the models have passed, in the order of files and lines.
func passedOrderings() -> [Ordering] {
  var orderings: [SourceLine: [Int32: Ordering]] = [:]
  for index in 0..<explorer_site_count() {
    let site = explorer_site(index)
    guard site.order != 0 else { continue }
    let name = String(cString: explorer_site_name(index)).split(separator: ":")
    let line = SourceLine(file: String(name[0]), number: name.count > 1 ? Int(name[1]) ?? 0 : 0)
    orderings[line, default: [:]][
      site.order,
      default: Ordering(line: line, order: site.order, sites: []),
    ].sites.append(index)
  }
  return orderings.values.flatMap(\.values).sorted {
    ($0.line.file, $0.line.number) < ($1.line.file, $1.line.number)
  }
}

/// The number of times that each site was passed so far.
func passCounts() -> [UInt64] { (0..<explorer_site_count()).map { explorer_site_passes($0) } }

/// The sources under test, line by line.
struct Sources {
  private var lines: [String: [String]] = [:]

  /// Reads the files of these paths; ends the program where one cannot be read.
  init(_ paths: [String]) {
    for path in paths {
      guard let file = fopen(path, "r") else { stop("cannot read \(path)") }
      defer { fclose(file) }
      var text: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = fread(&block, 1, block.count, file), count > 0 {
        text += block[..<count]
      }
      let name = String(path.split(separator: "/").last ?? "")
      lines[name] = String(decoding: text, as: UTF8.self).split(
        separator: "\n",
        omittingEmptySubsequences: false
      ).map { String($0) }
    }
  }

  /// Whether a line is in one of the files, or the compiler has merged it with others.
  func has(_ line: SourceLine) -> Bool { line.number == 0 || lines[line.file] != nil }

  /// The code of a line, without its indentation.
  func code(_ line: SourceLine) -> String {
    guard let file = lines[line.file], file.indices.contains(line.number - 1) else { return "" }
    return String(file[line.number - 1].drop { $0 == " " })
  }

  /// Lines that ask for an ordering stronger than relaxed.
  var asking: [SourceLine] {
    lines.flatMap { file, lines in
      lines.indices.filter {
        lines[$0].contains("ordering: .") && !lines[$0].contains("ordering: .relaxed")
      }
      .map { SourceLine(file: file, number: $0 + 1) }
    }
    .sorted { ($0.file, $0.number) < ($1.file, $1.number) }
  }
}

/// Ends the program with a message.
func stop(_ message: String) -> Never {
  print("error: \(message)")
  exit(1)
}
