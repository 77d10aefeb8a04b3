// SPDX-License-Identifier: MIT

/// A result of what may have to wait for a suspended app's return (SYS-2).
public protocol WaitingResult {
  /// The numbers of the requests that wait; nil where none does.
  var waiting: [UInt64]? { get }
}
