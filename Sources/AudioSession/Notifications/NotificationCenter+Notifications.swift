// SPDX-License-Identifier: MIT

public import Foundation

extension NotificationCenter {
  /// Gives the notifications of one name as an asynchronous sequence, as Darwin's Foundation does.
  ///
  /// Observing begins with this call, not with the first `next()`, so no notification in between is missed. It ends with
  /// the last iterator.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - object: The sender; nil for any sender.
  /// - Returns: The notifications.
  /// [any-thread]
  public func notifications(
    named name: Notification.Name,
    object: AnyObject? = nil,
  ) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// The notifications of one name, in order. [any-thread]
  public struct Notifications: AsyncSequence, Sendable {
    private let stream: AsyncStream<Carried>

    init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
      let (stream, continuation) = AsyncStream<Carried>.makeStream()
      let observer = center.addObserver(forName: name, object: object, queue: nil) { note in
        continuation.yield(Carried(notification: note))
      }
      let observation = Observation(center: center, observer: observer)
      continuation.onTermination = { _ in observation.end() }
      self.stream = stream
    }

    /// Makes the iterator; a sequence has only one.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// Gives one notification after the other.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: AsyncStream<Carried>.Iterator

      /// The next notification; nil when the task is cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async -> Notification? {
        await base.next(isolation: actor)?.notification
      }
    }
  }

  /// Carries a notification between threads; the contents of the session's notifications are immutable.
  fileprivate struct Carried: @unchecked Sendable {
    let notification: Notification
  }

  private final class Observation: @unchecked Sendable {
    private let center: NotificationCenter
    private let observer: any NSObjectProtocol

    init(center: NotificationCenter, observer: any NSObjectProtocol) {
      self.center = center
      self.observer = observer
    }

    func end() { center.removeObserver(observer) }
  }
}
