// SPDX-License-Identifier: MIT

/// The file that ported sources need beside them.
public enum Shim {
  /// Its name.
  public static let fileName = "PortedFromIOS.swift"

  /// Its text.
  public static let source = #"""
    // Made by `multiroute port-ios`: what sources of iOS have from Objective-C. A file of the app's: change it as you like.

    import Foundation

    extension NotificationCenter {
      /// Calls a closure for each notification until the observer is removed or released.
      func addObserver(
        _ observer: AnyObject,
        name: NSNotification.Name?,
        object: Any?,
        using handler: @escaping (Notification) -> Void
      ) {
        let call = PortedCall(handler)
        let token = addObserver(forName: name, object: object, queue: nil) { call.body($0) }
        PortedObservers.shared.add(token, of: observer, name: name, object: object, to: self)
      }

      /// Removes an observer, which can be an object or a token.
      func removeObserver(_ observer: Any) {
        // The form with a name is Foundation's.
        removeObserver(observer, name: nil, object: nil)
        PortedObservers.shared.remove(observer as AnyObject, from: self) { _, _ in true }
      }

      /// Removes those observations of an object that were made with a name and an object; nil means any.
      func removeObservers(of observer: AnyObject, name: NSNotification.Name?, object: Any?) {
        PortedObservers.shared.remove(observer, from: self) { itsName, itsObject in
          (name == nil || name == itsName)
            && (object == nil || (object as AnyObject) === itsObject)
        }
      }
    }

    extension Timer {
      /// Makes a timer that calls a closure, and adds it to the current run loop.
      @discardableResult
      static func scheduledTimer(
        timeInterval: TimeInterval,
        repeats: Bool,
        handler: @escaping (Timer) -> Void
      ) -> Timer {
        let call = PortedCall(handler)
        return scheduledTimer(withTimeInterval: timeInterval, repeats: repeats) { call.body($0) }
      }

      /// Makes a timer that calls a closure.
      convenience init(
        timeInterval: TimeInterval,
        repeats: Bool,
        handler: @escaping (Timer) -> Void
      ) {
        let call = PortedCall(handler)
        self.init(timeInterval: timeInterval, repeats: repeats, block: { call.body($0) })
      }
    }

    extension NSNotification {
      /// Makes the object of a notification.
      convenience init(_ notification: Notification) {
        self.init(
          name: notification.name,
          object: notification.object,
          userInfo: notification.userInfo
        )
      }
    }

    /// A closure that is called where its maker expects it: notifications on the thread that posts them, timers on theirs.
    private final class PortedCall<Argument>: @unchecked Sendable {
      let body: (Argument) -> Void

      init(_ body: @escaping (Argument) -> Void) { self.body = body }
    }

    /// The observations of objects, each until it is removed or its object is released.
    private final class PortedObservers: @unchecked Sendable {
      static let shared = PortedObservers()

      private struct Entry {
        weak var observer: AnyObject?
        let center: NotificationCenter
        let token: NSObjectProtocol
        let name: NSNotification.Name?
        weak var object: AnyObject?
      }

      private let lock = NSLock()
      private var entries: [Entry] = []

      func add(
        _ token: NSObjectProtocol,
        of observer: AnyObject,
        name: NSNotification.Name?,
        object: Any?,
        to center: NotificationCenter
      ) {
        let entry = Entry(
          observer: observer,
          center: center,
          token: token,
          name: name,
          object: object.map { $0 as AnyObject }
        )
        lock.lock()
        let gone = entries.filter { $0.observer == nil }
        entries.removeAll { $0.observer == nil }
        entries.append(entry)
        lock.unlock()
        drop(gone)
      }

      func remove(
        _ observer: AnyObject,
        from center: NotificationCenter,
        where isMeant: (NSNotification.Name?, AnyObject?) -> Bool
      ) {
        lock.lock()
        let meant = { (entry: Entry) in
          // In its `deinit` an object cannot be reached by a weak reference any more.
          entry.observer == nil
            || entry.observer === observer && entry.center === center
              && isMeant(entry.name, entry.object)
        }
        let gone = entries.filter(meant)
        entries.removeAll(where: meant)
        lock.unlock()
        drop(gone)
      }

      private func drop(_ entries: [Entry]) {
        for entry in entries {
          entry.center.removeObserver(entry.token, name: nil, object: nil)
        }
      }
    }

    """#
}
