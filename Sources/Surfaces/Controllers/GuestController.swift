// SPDX-License-Identifier: MIT

/// The names of controllers that the graph does not have: they are known by their device.
///
/// Names of graphs have no blanks, so these are no others'. [any-thread]
public enum GuestController {
  private static let prefix = "device "

  /// The name of a device as a controller.
  public static func name(ofDevice device: String) -> String { prefix + device }

  /// The device of a name; nil for a controller of the graph.
  public static func device(of name: String) -> String? {
    name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
  }
}
