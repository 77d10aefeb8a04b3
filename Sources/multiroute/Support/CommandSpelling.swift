// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Sessions

/// The check of the words that name commands, because the parser takes an unknown one for an argument too many.
///
/// Pure functions: [any-thread].
enum CommandSpelling {
  /// Finds a word that stands for a command and names none.
  ///
  /// - Parameters:
  ///   - words: The command line without the program's name.
  ///   - root: The command that takes them.
  /// - Returns: The fault as a line; nil for a known command.
  static func fault(in words: [String], of root: any ParsableCommand.Type) -> String? {
    var command = root
    for word in words {
      let commands = command.configuration.subcommands
      guard !word.hasPrefix("-"), word != "help", !commands.isEmpty else { return nil }
      if let next = subcommand(word, of: command) {
        command = next
        continue
      }
      if let standard = command.configuration.defaultSubcommand {
        guard standard is any PathCommand.Type, !word.hasPrefix("/") else { return nil }
      }
      var known: [String] = []
      for candidate in commands where candidate.configuration.shouldDisplay {
        known += names(of: candidate)
      }
      return "error: there is no command '\(word)'" + Spelling.suggestion(for: word, among: known)
        + "; 'multiroute --help' lists all"
    }
    return nil
  }

  /// The subcommand of that name or alias; nil where there is none.
  static func subcommand(
    _ word: String,
    of command: any ParsableCommand.Type,
  ) -> (any ParsableCommand.Type)? {
    // Key paths into metatypes crash this compiler, so the commands are walked through by hand.
    for candidate in command.configuration.subcommands where names(of: candidate).contains(word) {
      return candidate
    }
    return nil
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    [command._commandName] + command.configuration.aliases
  }
}

/// A command whose first word is a path, so that it needs no name of its own.
protocol PathCommand: ParsableCommand {}
