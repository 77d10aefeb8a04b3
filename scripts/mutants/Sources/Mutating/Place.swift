// SPDX-License-Identifier: MIT

/// A place of a source where one mutant differs from the original.
///
/// Pure value: [any-thread].
public struct Place: Codable, Equatable, Sendable {
  /// The mutant's name, which outlasts changes of other lines: `FILE: NTH. ORIGINAL to MUTATED: LINE`, where `NTH` tells equal changes of
  /// equal lines apart.
  public var key: String
  /// The mutant's number, from 1, by which the tests choose it.
  public var number: Int
  /// The target that the file belongs to.
  public var target: String
  /// The file's path, from the repository.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column in UTF-8, from 1.
  public var column: Int
  /// The original's operator or literal.
  public var original: String
  /// The mutant's operator or literal in its place.
  public var mutated: String
  /// The line's text without the spaces around it.
  public var text: String
  /// The lines of the smallest statement, condition, argument or member around the place: where the compiler reports an error about it.
  public var firstLine: Int
  /// The last of these lines.
  public var lastLine: Int
}
