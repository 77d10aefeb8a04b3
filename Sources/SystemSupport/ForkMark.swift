// SPDX-License-Identifier: MIT

internal import CSystemSupport
internal import Glibc

/// Remembers the process in which something was made that a forked child may not use: a connection, a thread, a JACK client.
///
/// A child has copies of all memory, but none of the threads, and shares the sockets. So its calls would change the
/// parent's session, or wait for a thread that is not there.
///
/// Pure value: [any-thread].
package struct ForkMark: Sendable {
  private let generation = system_fork_generation()

  /// Marks the present process.
  package init() {}

  /// Whether the calling process was forked from the one that was marked, or from a child of that one.
  package var isInChild: Bool { system_fork_generation() != generation }
}

extension ForkMark {
  /// Whether the calling process was forked from the first one that read this property, or from a child of that one.
  ///
  /// In such a child it takes no lock: another thread of the parent may have held one at the moment of the fork, such as one of
  /// the Swift runtime, and nobody would ever release it in the child. [any-thread]
  package static var isInChildOfFirstUser: Bool { system_is_forked_from_first_user() }
}

/// A descriptor that is closed in each forked child before `fork` returns there. [any-thread]
///
/// Otherwise the other end would not notice the end of this process while a child lives.
package final class UnsharedDescriptor: Sendable {
  /// The descriptor; not to be used where ``isInChild``.
  package let descriptor: Int32
  private let mark = ForkMark()

  /// Takes an open descriptor over, which is closed with the value.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // Of more than 64 a child keeps the rest, as without this.
    system_keep_from_children(descriptor)
  }

  deinit {
    // In a child the number may be another file's by now.
    guard !isInChild else { return }
    system_leave_to_children(descriptor)
    close(descriptor)
  }

  /// Whether the calling process is a forked child, which has no such descriptor.
  package var isInChild: Bool { mark.isInChild }
}
