// SPDX-License-Identifier: MIT

public import Logging
internal import Synchronization

/// Asks a running PipeWire for a rate and a quantum through its settings metadata.
///
/// PipeWire takes the values for its whole graph, also where its own configuration would not choose
/// them; 0 stands for no wish. Another program that changes a value after us keeps its own: only
/// what still stands as we have set it is given back.
public final class PipeWireSettings: ForeignServerSettings {
  let reason = "set through PipeWire's clock.force-rate and clock.force-quantum"

  private let tool: ToolProcess
  private let logger: Logger
  private let changes = Mutex<[Key: Change]>([:])

  /// What is asked for.
  private enum Key: String, CaseIterable {
    case rate = "clock.force-rate"
    case quantum = "clock.force-quantum"
  }

  /// A value that we have set, and the one before it.
  private struct Change {
    let former: String
    let ours: String
  }

  /// Makes the settings of the PipeWire that the process's environment leads to.
  ///
  /// - Parameters:
  ///   - logger: Told what is set and given back.
  ///   - environment: What is changed of the process's environment, such as `XDG_RUNTIME_DIR`.
  public init(logger: Logger, environment: [String: String] = [:]) {
    self.logger = logger
    tool = ToolProcess(name: "pw-metadata", package: "pipewire-bin", environment: environment)
  }

  /// Asks for values for the whole graph; PipeWire takes them some periods later.
  ///
  /// - Parameters:
  ///   - sampleRateHz: The rate; nil takes an earlier wish of ours back.
  ///   - bufferFrames: The quantum at that rate; nil likewise.
  /// - Throws: ``HostError`` `jack` where PipeWire or `pw-metadata` cannot be reached.
  ///
  /// [control-thread]
  public func force(sampleRateHz: Int?, bufferFrames: Int?) async throws(HostError) {
    let present = try await values()
    for (key, wish) in [(Key.rate, sampleRateHz), (.quantum, bufferFrames)] {
      guard let current = present[key.rawValue] else {
        throw HostError(.jack, "PipeWire's settings metadata has no \(key.rawValue)")
      }
      guard let wish else {
        try await giveBack(key, current: current)
        continue
      }
      let ours = String(wish)
      let change = changes.withLock { $0[key] }
      // What is not ours is somebody else's wish, or that of a PipeWire that was started anew.
      let former = if let change, change.ours == current { change.former } else { current }
      changes.withLock { $0[key] = Change(former: former, ours: ours) }
      if current != ours { try await set(key, to: ours) }
    }
  }

  /// Takes the wishes back, but for what somebody else has changed since. [control-thread]
  public func giveBack() async {
    guard !changes.withLock(\.isEmpty) else { return }
    do throws(HostError) {
      let present = try await values()
      for key in Key.allCases {
        try await giveBack(key, current: present[key.rawValue])
      }
    } catch {
      logger.warning("PipeWire keeps the forced rate and quantum: \(error)")
    }
  }

  private func giveBack(_ key: Key, current: String?) async throws(HostError) {
    guard let change = changes.withLock({ $0.removeValue(forKey: key) }) else { return }
    guard current == change.ours, change.former != change.ours else { return }
    try await set(key, to: change.former)
  }

  // MARK: - The tool

  private func set(_ key: Key, to value: String) async throws(HostError) {
    _ = try await metadata(["0", key.rawValue, value])
    logger.info("PipeWire: \(key.rawValue) set to \(value)")
  }

  /// The metadata's values by key.
  private func values() async throws(HostError) -> [String: String] {
    var values: [String: String] = [:]
    for line in try await metadata(["0"]).standardOutput.split(separator: "\n") {
      // update: id:0 key:'clock.force-rate' value:'0' type:''
      let quoted = line.split(separator: "'", omittingEmptySubsequences: false)
      guard quoted.count >= 4, quoted[0].hasSuffix("key:") else { continue }
      values[String(quoted[1])] = String(quoted[3])
    }
    return values
  }

  private func metadata(_ arguments: [String]) async throws(HostError) -> ToolOutput {
    let output = try await tool.run(["-n", "settings"] + arguments)
    guard output.isSuccess else {
      throw HostError(.jack, "PipeWire's settings cannot be reached: \(output.fault)")
    }
    return output
  }
}
