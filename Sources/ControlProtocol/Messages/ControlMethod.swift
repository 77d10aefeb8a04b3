// SPDX-License-Identifier: MIT

/// A method of the control socket: its name, what it takes and what it answers.
///
/// A new method is one type in one file, listed in ``MethodRegistry/standard``.
public protocol ControlMethod: Sendable {
  /// What it takes.
  associatedtype Params: ControlParams
  /// What it answers.
  associatedtype Result: Codable & Sendable

  /// The name on the wire, lower camel case.
  static var name: String { get }
}
