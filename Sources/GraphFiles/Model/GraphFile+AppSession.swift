// SPDX-License-Identifier: MIT

public import Sessions

extension GraphFile {
  /// The audio session that a program is given, by a source or by a rule.
  public struct AppSession: Sendable, Equatable {
    /// A ready configuration; category, mode and options come from it then.
    public var preset: Preset?
    /// The category; nil for the preset's usual one.
    public var category: Category?
    /// The mode.
    public var mode = Mode.default
    /// The options, one by one in the order of the file.
    public var options: [CategoryOptions] = []
    /// Who beats whom.
    public var priorityClass = PriorityClass.app
  }
}
