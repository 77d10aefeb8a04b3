// SPDX-License-Identifier: MIT

internal import CRealtime
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
  /// - Returns: False when the system gives us no thread.
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
}
