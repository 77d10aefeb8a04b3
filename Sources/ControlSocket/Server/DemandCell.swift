// SPDX-License-Identifier: MIT

import Synchronization

/// The latest demand, written by the server's loop and read from anywhere.
final class DemandCell: Sendable {
  private let cell = Mutex(SubscriptionDemand())

  /// The latest demand.
  var value: SubscriptionDemand {
    get { cell.withLock { $0 } }
    set { cell.withLock { $0 = newValue } }
  }
}
