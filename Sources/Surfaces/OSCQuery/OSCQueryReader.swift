// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// Reads the whole tree of parameters, once for all who ask meanwhile.
///
/// However many requests come, the host lists its parameters only one time after the other, with pauses. An answer is never older than
/// its request. [any-thread]
actor OSCQueryReader {
  private static let pause = Duration.milliseconds(5)

  private let tree: any ParameterTree
  private var waiting: Task<OSCQueryNamespace, Never>?
  private var last: Task<OSCQueryNamespace, Never>?
  private var ended = ContinuousClock.now - pause

  /// Makes a reader of a host's tree.
  init(_ tree: any ParameterTree) { self.tree = tree }

  /// All parameters as they are now; none once the host has ended.
  func namespace() async -> OSCQueryNamespace {
    if let waiting { return await waiting.value }
    let before = last
    let task = Task {
      _ = await before?.value
      try? await Task.sleep(until: ended + Self.pause)
      return await read()
    }
    waiting = task
    last = task
    return await task.value
  }

  private func read() async -> OSCQueryNamespace {
    // A request from here on may mean a later state.
    waiting = nil
    // The root is always there.
    let parameters = try? await tree.list("/")
    ended = .now
    return OSCQueryNamespace(parameters ?? [])
  }
}
