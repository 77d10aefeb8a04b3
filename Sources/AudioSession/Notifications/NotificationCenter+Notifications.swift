// SPDX-License-Identifier: MIT

public import Foundation

extension NotificationCenter {
  /// The notifications of one name as they come, as Darwin's Foundation has it.
  ///
  /// Observing begins with this call, not with the first `next()`, so that nothing in between is missed; it ends with the
  /// last iterator.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - object: Whose notifications; nil for anybody's.
  /// - Returns: The notifications.
  /// [any-thread]
  public func notifications(
    named name: Notification.Name,
    object: AnyObject? = nil,
  ) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// The notifications of one name, as they come.
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

    /// An iterator; one sequence has one.
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

  /// What is in a notification of the session is never changed.
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
