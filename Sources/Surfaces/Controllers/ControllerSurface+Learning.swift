// SPDX-License-Identifier: MIT

public import ControlProtocol
public import GraphFiles

/// A lesson: the control that is moved next is learned.
///
/// Pure value: [any-thread].
struct ControlLesson {
  /// The only controller that is heard; nil for all.
  private let controller: String?
  private var learning = ControlLearning()

  /// Begins to hear one controller, or all.
  init(from controller: String?) { self.controller = controller }

  /// Takes the moves of one message.
  ///
  /// - Returns: Whether they belong to the lesson, and should do nothing else.
  mutating func take(_ moves: [ControllerMove], from name: String, at milliseconds: Double) -> Bool
  {
    guard controller == nil || controller == name else { return false }
    return learning.take(moves, from: name, at: milliseconds)
  }

  /// The control, once it has come to rest and its kind is sure.
  func finding(at milliseconds: Double) -> ControlLearning.Finding? {
    learning.finding(at: milliseconds)
  }
}

/// Learning of controls by moving them. [any-thread]
extension ControllerSurface {
  /// Waits for the next control that is moved, and maps it; the task's cancellation ends the waiting.
  ///
  /// - Parameters:
  ///   - path: The parameter.
  ///   - device: The controller's name in the graph, or words of its device's name; nil for any.
  ///   - limit: The time to wait.
  /// - Returns: The mapping, which works from now on.
  /// - Throws: `badValue` for a parameter that a control cannot set, or a device that is not heard or not the only one; `refused`
  ///   while another one is learned, or when the time is over.
  public func learn(
    _ path: String,
    device: String? = nil,
    within limit: Duration,
  ) async throws(ControlError) -> Learned {
    let parameter = try await settable(path)
    let controller: String? = if let device { try units.plugged(device) } else { nil }
    guard lesson == nil else {
      throw ControlError(.refused, message: "learn: another control is being learned; wait for it")
    }
    lesson = ControlLesson(from: controller)
    defer { lesson = nil }
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end, !Task.isCancelled {
      if let finding = lesson?.finding(at: now) {
        let mapping = finding.mapping(of: parameter)
        units[finding.controller]?.learn(mapping)
        try await watch()
        return Learned(controller: finding.controller, mapping: mapping)
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
    throw ControlError(
      .refused,
      message: "learn: no control was moved in time; turn an encoder both ways",
    )
  }

  /// Removes the learned mappings of a parameter.
  ///
  /// - Parameter path: The parameter; its mappings of the graph stay.
  public func forget(_ path: String) {
    units.forget(ParameterPath.spelled(path))
  }

  /// The learned mappings of each controller that has some, in the order in which they were learned.
  public var learned: [String: [ControlMapping]] {
    units.learned
  }

  /// The state of all controllers by name.
  public var reports: [String: Report] {
    units.reports(values)
  }

  private func settable(_ path: String) async throws(ControlError) -> ParameterDescription {
    guard let parameter = try await tree.list(path).first,
      parameter.path == ParameterPath.spelled(path), ControlLearning.canSet(parameter)
    else { throw ControlLearning.refusal(of: path) }
    return parameter
  }
}
