// SPDX-License-Identifier: MIT

import ArgumentParser

/// Commands that parse their words without the commands above them, which have no options.
///
/// Each command above it costs two to three million instructions at every start (callgrind), because the parser asks about each
/// of its types.
enum DirectParsing {
  /// Runs the command that the first words name.
  ///
  /// - Parameters:
  ///   - words: The command line without the program's name.
  ///   - root: The command that takes them.
  /// - Returns: Whether it was run; false where its parser does not take the other words, such as a request for help: the
  ///   root says then what is wrong.
  /// - Throws: The command's error.
  /// [any-thread]
  static func run(_ words: [String], of root: any ParsableCommand.Type) async throws -> Bool {
    var type = root
    var rest = words[...]
    while let word = rest.first, let next = CommandSpelling.subcommand(word, of: type) {
      type = next
      rest.removeFirst()
    }
    guard rest.count < words.count, type.configuration.subcommands.isEmpty else { return false }
    EarlyConnection.begin(for: words)
    if let type = type as? any AsyncParsableCommand.Type {
      guard
        var command = try? await type.asyncParseAsRoot(Array(rest)) as? any AsyncParsableCommand
      else { return false }
      try await command.run()
    } else {
      // Asked for help, the parser returns a command of its own.
      guard var command = try? type.parseAsRoot(Array(rest)), Swift.type(of: command) == type
      else { return false }
      try command.run()
    }
    return true
  }
}

extension CommandConfiguration {
  /// The configuration of a command that is parsed by itself and whose user waits for it.
  ///
  /// The parser searches each command line for a request for completion scripts, which costs `status` up to 2.5 of 34.7 million
  /// instructions (callgrind), unless the command says that it stands under another one. The command above it takes such requests.
  ///
  /// - Parameter parent: The words above it, as its usage shows them.
  /// - Returns: The configuration with them.
  /// [any-thread]
  func parsedAlone(under parent: String) -> CommandConfiguration {
    var configuration = self
    configuration._superCommandName = parent
    return configuration
  }
}
