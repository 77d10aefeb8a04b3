// SPDX-License-Identifier: MIT

internal import CRealtime
package import Dispatch
internal import Glibc

/// A detached thread for a call that may block for long.
package enum BackgroundThread {
  private final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  /// Runs `body` on a new thread. [any-thread]
  ///
  /// - Parameters:
  ///   - name: Shown by `ps -L` and debuggers, cut to 15 bytes.
  ///   - body: The work; the thread ends with it.
  /// - Returns: False when the system has no thread.
  package static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

    let argument = unsafe Unmanaged.passRetained(Body(name: name, run: body))
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread,
      &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        unsafe body.name.withCString { unsafe realtime_thread_set_name($0) }
        body.run()
        return nil
      },
      argument.toOpaque(),
    )
    if result != 0 { unsafe argument.release() }
    return result == 0
  }

  /// Gives the calling thread a real-time priority that threads and processes started from it do not inherit.
  ///
  /// If the user's limits refuse it, the thread keeps its priority.
  ///
  /// - Parameter priority: SCHED_FIFO, 1 … 99.
  /// - Returns: Whether it has the priority.
  ///
  /// [any-thread]
  @discardableResult
  package static func raisePriority(_ priority: Int32) -> Bool {
    realtime_thread_raise(priority) == 0
  }
}

extension Duration {
  /// The interval for Dispatch; without end from 292 years on. [any-thread]
  package var dispatch: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !nanoseconds.overflow else { return .never }
    return .nanoseconds(Int(nanoseconds.partialValue) + Int(attoseconds / 1_000_000_000))
  }
}

/// A weak reference that may cross threads; what it leads to may do so only where it is Sendable. [any-thread]
package final class WeakBox<Object: AnyObject> {
  private weak let object: Object?

  /// The object, while it exists.
  package var value: Object? { object }

  package init(_ object: Object) { self.object = object }
}

extension WeakBox: Sendable where Object: Sendable {}
