// SPDX-License-Identifier: MIT

internal import JACK

/// The ports that have been renamed, to rename them back where a later one cannot be.
///
/// Belongs to the control thread.
struct RenameLog {
  /// The new full name of each port, by the former one.
  private(set) var names: [String: String] = [:]
  private var back: [() -> Void] = []

  /// Renames a port.
  ///
  /// - Throws: JACK's error, such as that of a name in use.
  mutating func rename<Direction>(
    _ port: ClientPort<AudioKind, Direction>,
    from former: String,
    to name: String,
    on connection: ClientConnection,
  ) throws(JACKError) {
    try connection.rename(port, to: name)
    names["\(connection.name):\(former)"] = "\(connection.name):\(name)"
    back.append {
      do throws(JACKError) {
        try connection.rename(port, to: former)
      } catch {
        JACKLogging.note(error)
      }
    }
  }

  /// Gives all ports their former names.
  func undo() { for rename in back.reversed() { rename() } }
}
