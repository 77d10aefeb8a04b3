// SPDX-License-Identifier: MIT

internal import Foundation
internal import JACK
internal import Synchronization

extension AudioIO {
  /// Maps the callback's outputs to the channels of the route, as the channel map of the SDK's output units does.
  ///
  /// The map has one entry for each channel of all outputs of ``AVAudioSession/currentRoute``, one port after the other: the
  /// callback's output that this channel carries, or -1 for silence. With `multiRoute`, a map reaches every channel of every
  /// output; make a new one after a route change. Without a map, the first output is the first channel, and so on; a single
  /// output is the first two channels.
  ///
  /// - Parameter map: At most 64 entries; nil for no map.
  /// - Throws: `badParam` for too many entries, or an output that does not exist; `mediaServicesFailed`.
  /// [control-thread]
  public func setOutputChannelMap(_ map: [Int]?) throws {
    guard let map = map ?? (outputChannels == 1 ? [0, 0] : nil) else {
      unsafe context.pointee.isMapped.store(false, ordering: .releasing)
      return
    }
    try check(map, "output", count: 0...AudioIOLimits.ports, channels: outputChannels)
    try lock.withLock {
      guard let connection = client?.connection else { return }
      do throws(JACKError) {
        var count = unsafe context.pointee.portCount.load(ordering: .relaxed)
        while count < map.count {
          let port: AudioOutputPort = try connection.register("out_\(count + 1)")
          unsafe (outputs + count).initialize(to: port)
          count += 1
          unsafe context.pointee.portCount.store(count, ordering: .releasing)
        }
      } catch {
        throw NSError.session(.mediaServicesFailed, "\(error)", rule: "RST-1")
      }
    }
    for port in 0..<AudioIOLimits.ports {
      let channel = port < map.count ? map[port] : -1
      unsafe context.pointee.map[port].store(Int32(channel), ordering: .relaxed)
    }
    unsafe context.pointee.isMapped.store(true, ordering: .releasing)
    if isRunning { try start() }
  }

  /// Maps the channels of the input route to the callback's inputs.
  ///
  /// The map has one entry for each input: the channel of the input route, counted from 0, or -1 for silence.
  ///
  /// - Parameter map: As many entries as there are inputs; nil for the first channels in order.
  /// - Throws: `badParam` for another number of entries, or a channel out of range; `resourceNotAvailable`.
  /// [control-thread]
  public func setInputChannelMap(_ map: [Int]?) throws {
    if let map {
      try check(map, "input", count: inputChannels...inputChannels, channels: AudioIOLimits.ports)
    }
    try lock.withLock {
      inputMap = map
      if isRunning { try connectInputs() }
    }
  }

  private func check(
    _ map: [Int],
    _ what: String,
    count: ClosedRange<Int>,
    channels: Int,
  ) throws {
    guard count.contains(map.count), map.allSatisfy({ $0 >= -1 && $0 < channels }) else {
      throw NSError.session(
        .badParam,
        "\(map) is not a valid channel map of \(what)s",
        offending: "\(map)",
        allowed: [
          "\(count.lowerBound)…\(count.upperBound) entries", "-1…\(channels - 1) in each",
        ],
        rule: "CAT-2",
      )
    }
  }
}
