// SPDX-License-Identifier: MIT

internal import Glibc
internal import OSC

/// The bundles that wait for their time, and then come in like others.
actor OSCSchedule {
  /// The most bundles that wait.
  static let limit = 1_024
  /// The longest time that a bundle waits.
  static let horizon = Duration.seconds(60)

  private let inbox: OSCInbox
  private var count = 0

  /// Makes an empty schedule for an inbox.
  init(_ inbox: OSCInbox) { self.inbox = inbox }

  /// The time until a bundle acts; nil for one that acts now. [any-thread]
  static func delay(of time: OSCTime) -> Duration? {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    let seconds = time.secondsSince1970 - Double(now.tv_sec) - Double(now.tv_nsec) * 1e-9
    return seconds > 0 ? .seconds(seconds) : nil
  }

  /// Lets a bundle wait.
  ///
  /// - Throws: ``OSCError`` for one too many, and for one too far ahead.
  func postpone(
    _ bundle: OSCBundle,
    by delay: Duration,
    from client: OSCClient,
  ) throws(OSCError) {
    guard delay <= Self.horizon else {
      throw OSCError(
        "its time is more than \(Self.horizon.components.seconds) s ahead; compare the clocks"
      )
    }
    guard count < Self.limit else {
      throw OSCError("\(count) bundles wait for their time; that is the most")
    }
    count += 1
    var due = bundle
    due.time = .immediately
    Task { [due] in
      try? await Task.sleep(for: delay, tolerance: .zero)
      count -= 1
      inbox.take(.packet(.bundle(due), from: client))
    }
  }
}
