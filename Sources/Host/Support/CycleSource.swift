// SPDX-License-Identifier: MIT

/// A JACK server whose cycles can be counted: audio time passes in them, and not in seconds.
///
/// Belongs to the control thread.
protocol CycleSource: AnyObject {
  /// The callbacks of the host's main client so far; each is counted when it ends.
  var cycleCount: UInt64 { get }
  /// The length of a cycle in seconds; 0 where the server has just gone.
  var periodSeconds: Double { get }
}

/// Waits for audio time. [control-thread]
///
/// On a busy machine a cycle takes longer than its sound, and so does each of these waits: seconds of a clock would end before
/// the sound that they stand for. A server that has stopped counts nothing more, so wall time is the net behind them: without
/// a cycle for as long as ``CycleWatch`` allows (2 s, or four of the longest periods), a wait ends.
extension Control {
  /// The longest and the shortest interval of looking at the count: a cycle that is waited for is seen before the next one.
  private static let longestCheck = Duration.milliseconds(2)
  private static let shortestCheck = Duration.microseconds(200)

  /// Waits until the audio thread has come to an end with something.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - limit: The longest wait, in sound of the server; nil for any.
  ///   - isDone: Whether it has; asked at first, and then several times in a cycle.
  /// - Returns: False if so much sound has passed before, or the server has stopped or gone.
  @discardableResult
  func wait(
    on server: any CycleSource,
    atMost limit: Duration?,
    until isDone: () -> Bool,
  ) async -> Bool {
    let first = server.cycleCount
    var watch = CycleWatch()
    while !isDone() {
      let (count, period) = (server.cycleCount, server.periodSeconds)
      guard period > 0 else { return false }
      if let limit, Double(count &- first) * period >= limit.seconds { return false }
      let change = watch.note(
        cycles: count,
        periodSeconds: period,
        nowNanoseconds: nowNanoseconds,
      )
      guard change != .stands else { return false }
      // The machine's time, between two looks only.
      await sleep(max(min(Self.longestCheck, .seconds(period / 4)), Self.shortestCheck))
    }
    return true
  }

  /// Waits until the host's callback has ended so many times more.
  ///
  /// - Parameters:
  ///   - count: The number of cycles; the one that is under way counts.
  ///   - server: The server.
  /// - Returns: False if the server has stopped or gone before.
  @discardableResult
  func passCycles(_ count: UInt64, on server: any CycleSource) async -> Bool {
    let end = server.cycleCount + count
    return await wait(on: server, atMost: nil) { server.cycleCount >= end }
  }
}
