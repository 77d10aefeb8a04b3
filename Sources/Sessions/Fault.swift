// SPDX-License-Identifier: MIT

/// What exactly a refused request got wrong.
public enum Fault: Hashable, Codable, Sendable {
  /// The category in this mode does not take these options.
  case options(
    offending: CategoryOptions,
    allowed: CategoryOptions,
    category: Category,
    mode: Mode
  )
  /// The category does not take this mode.
  case mode(mode: Mode, category: Category)
  /// An option is missing that the mode cannot do without.
  case missingOption(option: CategoryOptions, mode: Mode)
  /// The route-sharing policy does not fit the rest.
  case policy(policy: RouteSharingPolicy)
  /// A value is not allowed.
  case value(name: String, given: String, allowed: String)
  /// The category does not do that.
  case category(category: Category, operation: String, allowed: [Category])
  /// Somebody of a higher class is active.
  case outranked(by: Interrupter, class: PriorityClass)
  /// The program may not use that class.
  case priorityClass(requested: PriorityClass, allowed: PriorityClass)
  /// The app is in the background.
  case background(category: Category)
  /// No input is connected that the category could use.
  case noInput(category: Category)
  /// The port has nothing to choose from.
  case noChoice(portUID: String, what: String)
  /// I/O is running.
  case ioRunning
  /// The JACK server is gone.
  case serverLost
  /// The session does not exist, or not any more.
  case noSession(id: SessionID)
  /// The session has to be active for this.
  case notActive
  /// Too many requests are waiting for the app's return to the foreground.
  case tooManyWaiting(limit: Int)
}
