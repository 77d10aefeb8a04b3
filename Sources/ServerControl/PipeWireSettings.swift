// SPDX-License-Identifier: MIT

public import Logging
internal import Synchronization
internal import SystemSupport

/// Sets the rate and the quantum of a running PipeWire through its settings metadata.
///
/// PipeWire applies the values to its whole graph, also where its own configuration would not choose
/// them; 0 ends the force. A value that another program changes afterwards stays: only values that still stand as they
/// were set here are restored. Safe from any thread: [any-thread].
public final class PipeWireSettings: ForeignServerSettings {
  package let reason = "set through PipeWire's clock.force-rate and clock.force-quantum"

  private let tool: ToolProcess
  private let logger: Logger
  private let changes = Mutex(Changes())

  /// A forced value of the metadata.
  private enum Key: String, CaseIterable {
    case rate = "clock.force-rate"
    case quantum = "clock.force-quantum"
  }

  /// The values that were set here, by their keys, and the ones before them.
  package struct Changes: Codable, Sendable, Equatable {
    /// One value.
    struct Change: Codable, Sendable, Equatable {
      let former: String
      let ours: String
    }

    fileprivate(set) var byKey: [String: Change] = [:]
  }

  /// Makes the settings of the PipeWire that the process's environment leads to.
  ///
  /// - Parameters:
  ///   - logger: Takes a line for each value that is set or restored.
  ///   - environment: Variables that differ from this process's environment, such as `XDG_RUNTIME_DIR`.
  public init(logger: Logger, environment: [String: String] = [:]) {
    self.logger = logger
    tool = ToolProcess(name: "pw-metadata", package: "pipewire-bin", environment: environment)
  }

  /// Forces values on the whole graph; PipeWire applies them some periods later.
  ///
  /// - Parameters:
  ///   - sampleRateHz: The rate; nil restores the one before an earlier call.
  ///   - bufferFrames: The quantum at that rate; nil likewise.
  /// - Throws: ``ServerControlError`` `jack` where PipeWire or `pw-metadata` cannot be reached.
  ///
  /// [control-thread]
  public func force(sampleRateHz: Int?, bufferFrames: Int?) async throws(ServerControlError) {
    let present = try await values()
    for (key, preferred) in [(Key.rate, sampleRateHz), (.quantum, bufferFrames)] {
      try await force(key, to: preferred, present: present)
    }
  }

  package func setBuffer(_ bufferFrames: Int?) async throws(ServerControlError) -> Bool {
    try await force(.quantum, to: bufferFrames, present: values())
    return true
  }

  private func force(
    _ key: Key,
    to preferred: Int?,
    present: [String: String],
  ) async throws(ServerControlError) {
    guard let current = present[key.rawValue] else {
      throw ServerControlError(.refused, "PipeWire's settings metadata has no \(key.rawValue)")
    }
    guard let preferred else { return try await giveBack(key, current: current) }
    let ours = String(preferred)
    let change = changes.withLock { $0.byKey[key.rawValue] }
    // Any other value was set by another program, or belongs to a PipeWire that was started anew.
    let former = if let change, change.ours == current { change.former } else { current }
    changes.withLock { $0.byKey[key.rawValue] = Changes.Change(former: former, ours: ours) }
    if current != ours { try await set(key, to: ours) }
  }

  package var loan: ServerLoan? {
    let changes = changes.withLock { $0 }
    return changes.byKey.isEmpty ? nil : .pipeWire(changes)
  }

  /// Restores the former values, except for those that another program has changed since. [control-thread]
  public func giveBack() async {
    guard !changes.withLock(\.byKey.isEmpty) else { return }
    do throws(ServerControlError) {
      let present = try await values()
      for key in Key.allCases {
        try await giveBack(key, current: present[key.rawValue])
      }
    } catch {
      logger.warning("PipeWire keeps the forced rate and quantum: \(error)")
    }
  }

  /// Restores values that another process has recorded. [control-thread]
  func giveBack(loan: Changes) async {
    changes.withLock { $0 = loan }
    await giveBack()
  }

  private func giveBack(_ key: Key, current: String?) async throws(ServerControlError) {
    guard let change = changes.withLock({ $0.byKey.removeValue(forKey: key.rawValue) }) else {
      return
    }
    guard current == change.ours, change.former != change.ours else { return }
    try await set(key, to: change.former)
  }

  // MARK: - The tool

  private func set(_ key: Key, to value: String) async throws(ServerControlError) {
    _ = try await metadata(["0", key.rawValue, value])
    logger.info("PipeWire: \(key.rawValue) set to \(value)")
  }

  /// The metadata's values by key.
  private func values() async throws(ServerControlError) -> [String: String] {
    var values: [String: String] = [:]
    for line in try await metadata(["0"]).standardOutput.split(separator: "\n") {
      // update: id:0 key:'clock.force-rate' value:'0' type:''
      let quoted = line.split(separator: "'", omittingEmptySubsequences: false)
      guard quoted.count >= 4, quoted[0].hasSuffix("key:") else { continue }
      values[String(quoted[1])] = String(quoted[3])
    }
    return values
  }

  private func metadata(_ arguments: [String]) async throws(ServerControlError) -> ToolOutput {
    let output: ToolOutput
    do throws(ToolError) {
      output = try await tool.run(["-n", "settings"] + arguments)
    } catch {
      throw ServerControlError(error)
    }
    guard output.isSuccess else {
      throw ServerControlError(.refused, "PipeWire's settings cannot be reached: \(output.fault)")
    }
    return output
  }
}
