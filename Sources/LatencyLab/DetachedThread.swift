// SPDX-License-Identifier: MIT

import CRealtime
import Glibc

/// Starts threads that nobody waits for.
enum DetachedThread {
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs a closure on a thread of its own.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread,
      &attributes,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        }
        return nil
      },
      work
    )
    unsafe pthread_attr_destroy(&attributes)
    if result != 0 {
      // No thread to be had: the work is done here, late but not lost.
      unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
    }
  }
}
