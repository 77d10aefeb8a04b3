// SPDX-License-Identifier: MIT

/// A weak reference that can be carried between threads.
final class WeakBox<Object: AnyObject & Sendable>: Sendable {
  private weak let object: Object?

  var value: Object? { object }

  init(_ object: Object) { self.object = object }
}

/// A weak reference to a delegate, which is called on the main thread only.
struct DelegateReference<Delegate>: @unchecked Sendable {
  private weak var object: AnyObject?

  var value: Delegate? { object as? Delegate }

  init(_ delegate: Delegate? = nil) { object = delegate as AnyObject? }
}
