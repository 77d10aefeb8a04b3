// SPDX-License-Identifier: MIT

/// Work that is done as soon as it is asked for, but at most once in an interval: all that is asked for meanwhile is done at once.
///
/// Belongs to the control thread.
final class Folding {
  private let control: Control
  private let intervalNanoseconds: UInt64
  private let work: () -> Void
  private var isWaiting = false
  private var doneNanoseconds: UInt64 = 0

  /// Prepares work that nobody has asked for yet.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - intervalNanoseconds: The shortest time between two times.
  ///   - work: The work.
  init(control: Control, intervalNanoseconds: UInt64, _ work: @escaping () -> Void) {
    self.control = control
    self.intervalNanoseconds = intervalNanoseconds
    self.work = work
  }

  /// Asks for the work: it is done after the work at hand, or when the interval is over.
  func ask() {
    guard !isWaiting else { return }
    isWaiting = true
    let due = doneNanoseconds + intervalNanoseconds
    let now = control.nowNanoseconds
    control.task { [weak self, control] in
      // Wall time: how often people and programs are told.
      if due > now { await control.sleep(.nanoseconds(Int64(due - now))) }
      self?.carryOut()
    }
  }

  private func carryOut() {
    isWaiting = false
    doneNanoseconds = control.nowNanoseconds
    work()
  }
}
