// SPDX-License-Identifier: MIT

import Glibc

/// The terminal from which a program was started.
///
/// SIGHUP means two things: the terminal is gone, or somebody asks the program to read its files again. Pure value: [any-thread].
struct ControllingTerminal: Sendable {
  /// The time in which the kernel takes a closed terminal from all of its processes, after the signal to the first of them.
  private static let closingTime = Duration.milliseconds(100)

  /// Whether the program had a terminal when it started.
  private let wasThere: Bool

  /// The terminal of this program.
  init() { wasThere = Self.answers }

  /// Whether the terminal was there and is not any more.
  func isLost() async -> Bool {
    guard wasThere else { return false }
    if Self.answers { try? await Task.sleep(for: Self.closingTime) }
    return !Self.answers
  }

  private static var answers: Bool {
    let descriptor = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
