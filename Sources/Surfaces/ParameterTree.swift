// SPDX-License-Identifier: MIT

public import ControlProtocol

/// The tree of parameters of a running host, as one surface sees it.
///
/// Surfaces know nothing else of the host. [any-thread]
public protocol ParameterTree: Sendable {
  /// Changes of the parameters that are watched, and every event of the host; for one reader.
  ///
  /// Ends with the host, or after ``close()``.
  var news: AsyncStream<TreeNews> { get }

  /// All parameters on a branch such as `/strip/deck-a`, sorted by path; `/` is the whole tree.
  ///
  /// - Throws: `badValue` for a branch without any.
  func list(_ branch: String) async throws(ControlError) -> [ParameterDescription]

  /// The present values of parameters, in the order of the paths.
  ///
  /// - Throws: `badValue` for a path without a parameter.
  func get(_ paths: [String]) async throws(ControlError) -> [ParameterSetting]

  /// Sets parameters in their order, after all of them were checked.
  ///
  /// - Parameters:
  ///   - settings: The paths and values.
  ///   - rampMilliseconds: The ramp's length; nil for the host's default.
  /// - Throws: The first fault; the changes before it stay.
  func set(_ settings: [ParameterSetting], rampMilliseconds: Double?) async throws(ControlError)

  /// Chooses the parameters and branches whose changes come as ``news``; the choice before it ends.
  ///
  /// - Parameters:
  ///   - paths: The paths; empty for none.
  ///   - echoes: Whether the surface gets back what it has set itself.
  /// - Returns: The present values of all that is watched, sorted by path.
  /// - Throws: `refused` for one watcher too many.
  func watch(_ paths: [String], echoes: Bool) async throws(ControlError) -> [ParameterSetting]

  /// Ends the surface's use of the tree.
  func close() async
}

extension ParameterTree {
  /// Sets parameters in one step, or, where one of them is refused, each that is not.
  ///
  /// - Parameter settings: The paths and values.
  /// - Returns: The places of the refused ones, with their faults. [any-thread]
  func setEach(_ settings: [ParameterSetting]) async -> [(place: Int, fault: ControlError)] {
    do throws(ControlError) {
      try await set(settings, rampMilliseconds: nil)
      return []
    } catch {
      guard settings.count > 1 else { return [(0, error)] }
    }
    var refused: [(place: Int, fault: ControlError)] = []
    for (place, setting) in settings.enumerated() {
      do throws(ControlError) {
        try await set([setting], rampMilliseconds: nil)
      } catch {
        refused.append((place, error))
      }
    }
    return refused
  }
}

/// Something that a surface may show.
///
/// Pure value: [any-thread].
public enum TreeNews: Sendable {
  /// Watched parameters have changed, come or gone.
  case parameters(ParameterChanges)
  /// The host reports an event.
  case event(ControlEvent)
}
