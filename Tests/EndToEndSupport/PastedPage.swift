// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// A page of the documentation whose commands are pasted into one shell, block by block as they are printed.
struct PastedPage {
  /// Commands that are pasted together.
  struct Block {
    /// The first line, by which tests name it.
    let name: String
    let text: String
  }

  /// Its blocks of commands, and those that write the graphs that the page has its reader save.
  let blocks: [Block]

  /// Reads a page.
  ///
  /// A YAML block is saved where the line before it ends in "as `NAME.yaml`:". Blocks in other languages are no commands.
  init(_ text: String) {
    var blocks: [Block] = []
    var language: Substring?
    var lines: [Substring] = []
    var sentence: Substring = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("```") else {
        if language != nil { lines.append(line) } else if !line.isEmpty { sentence = line }
        continue
      }
      guard let ended = language else {
        (language, lines) = (line.dropFirst(3), [])
        continue
      }
      language = nil
      let text = lines.joined(separator: "\n")
      if ended == "sh" {
        blocks.append(Block(name: String(lines.first ?? ""), text: text))
      } else if ended == "yaml", let name = sentence.firstMatch(of: /as `([\w-]+\.yaml)`:$/) {
        let file = String(name.output.1)
        blocks.append(
          Block(name: file, text: "cat >\(file) <<'END OF \(file)'\n\(text)\nEND OF \(file)")
        )
      }
      sentence = ""
    }
    self.blocks = blocks
  }

  /// Pastes the blocks into a shell whose folder is a new clone, and ends all that it has left running.
  ///
  /// The shell reads them from its standard input, as from a terminal: a program that reads it too takes the commands behind it away.
  ///
  /// - Parameters:
  ///   - left: The names of blocks that are left out.
  ///   - server: The name of the JACK server that programs find.
  ///   - scratch: Where the clone is made.
  /// - Throws: ``TestFailure`` with the first command that failed; and where a block to leave out is not on the page.
  func paste(leavingOut left: some Collection<String>, server: String, in scratch: Scratch)
    async throws
  {
    for name in left where !blocks.contains(where: { $0.name == name }) {
      throw TestFailure("the page has no block that begins with '\(name)'")
    }
    let pasted = blocks.filter { !left.contains($0.name) }.map(\.text)
    let lines =
      [
        "set -e",
        #"trap 's=$?; echo "status $s: $BASH_COMMAND" >&2; exit $s' ERR"#,
        "trap 'trap - ERR; kill $(jobs -p) 2>/dev/null || true; wait' EXIT",
      ] + pasted + ["echo THE WHOLE PAGE"]
    let page = try scratch.write(lines.joined(separator: "\n") + "\n", to: "pasted.sh")
    let clone = try NewClone(in: scratch)
    let shell = try Child(
      "/bin/bash",
      ["-c", "cd '\(clone.path)' && exec bash -s <'\(page)'"],
      environment: scratch.hostEnvironment.merging([
        "JACK_DEFAULT_SERVER": server, "XDG_CONFIG_HOME": scratch.path + "/config",
      ]) { $1 },
      in: scratch,
    )
    // A shell that is given up ends its programs, too.
    defer { shell.send(SIGTERM, toGroup: true) }
    let end = try await shell.waitForEnd(within: .seconds(120))
    guard end == .code(0), shell.standardOutput.hasSuffix("THE WHOLE PAGE\n") else {
      throw TestFailure("\(end): \(shell.standardError)\n\(shell.standardOutput.suffix(2_000))")
    }
  }
}

/// A new clone of the repository in which the release build has been made: it is the one under test.
private struct NewClone {
  let path: String

  /// Makes the clone of what users run; scripts of developers, sources and tests are not in it.
  init(in scratch: Scratch) throws {
    path = try scratch.makeFolder("clone")
    let files = FileManager.default
    for folder in ["Sources", "scripts/lib", ".build/release"] {
      try files.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
    }
    let copied = [
      "Package.swift", "graphs", "scripts/run", "scripts/say", "scripts/lib/setup.bash",
    ]
    for file in copied {
      try files.copyItem(atPath: Repository.path(file), toPath: "\(path)/\(file)")
    }
    let release = "\(path)/.build/release"
    let built = try (Multiroute.path() as NSString).deletingLastPathComponent
    for program in ["multiroute", "multiroute-lab"] {
      let own = program == "multiroute" ? try Multiroute.path() : "\(built)/\(program)"
      // The gate does not build the laboratory; whoever needs it fails there.
      let target = files.isExecutableFile(atPath: own) ? own : "/bin/false"
      try files.createSymbolicLink(atPath: "\(release)/\(program)", withDestinationPath: target)
    }
    try Data().write(to: URL(filePath: "\(release)/libcallback-timer.so"))
    for product in ["multiroute", "multiroute-lab", "callback-timer"] {
      try Data().write(to: URL(filePath: "\(path)/.build/built-\(product)"))
    }
  }
}
