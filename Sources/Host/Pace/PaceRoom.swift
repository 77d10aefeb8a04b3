// SPDX-License-Identifier: MIT

/// The times of the host's recurring work: the end of a burst of notifications, and its timer.
///
/// Belongs to the control thread.
final class PaceRoom {
  /// The connections of this room to the rest of the host; set once all rooms exist.
  struct Links {
    /// Brings the rooms up to date after a burst of notifications.
    var settle: () -> Void
    /// Runs the periodic work of the rooms.
    var look: () -> Void
    /// The time to the next periodic work.
    var tick: () -> Duration
  }

  private let control: Control
  private var links: Links?
  /// Whether notifications wait to be settled.
  private var isSettling = false
  private var timer: Task<Void, Never>?

  /// Makes a room whose timer does not run yet.
  init(control: Control) { self.control = control }

  /// Connects the room to the rest of the host.
  func join(_ links: Links) { self.links = links }

  /// Settles after the notifications that are already waiting.
  func settleSoon() {
    guard !isSettling else { return }
    isSettling = true
    control.task { [weak self] in self?.settle() }
  }

  private func settle() {
    isSettling = false
    // Without a server, the next attachment reads everything anew.
    guard control.attachment != nil else { return }
    links?.settle()
  }

  /// Starts the timer.
  func begin() {
    timer = control.task { [weak self, control] in
      while !Task.isCancelled, let pause = self?.links?.tick() {
        // Wall time: the host looks at processes, files and time-outs too, also where the server stands.
        await control.sleep(pause)
        self?.links?.look()
      }
    }
  }

  /// Ends the timer, because the host ends.
  func end() {
    timer?.cancel()
    timer = nil
  }
}
