// SPDX-License-Identifier: MIT

/// Looks after the sound cards of the machine.
struct DeviceWatch: Sendable {
  /// A device that has come or gone.
  struct Change: Sendable, Equatable {
    let device: SoundDevice
    let isThere: Bool
  }

  private static let intervalNanoseconds: UInt64 = 1_000_000_000

  /// The devices as of the last look.
  private(set) var devices: [SoundDevice]
  private let read: @Sendable () -> [SoundDevice]
  private var lastNanoseconds: UInt64 = 0

  /// Starts with the devices that are there.
  init(read: @escaping @Sendable () -> [SoundDevice] = { Machine().soundDevices() }) {
    self.read = read
    devices = read()
  }

  /// Looks again, where a second has gone by.
  ///
  /// - Returns: What has come and gone.
  mutating func look(nowNanoseconds: UInt64) -> [Change] {
    guard nowNanoseconds - lastNanoseconds >= Self.intervalNanoseconds else { return [] }
    lastNanoseconds = nowNanoseconds
    let found = read()
    let before = devices
    devices = found
    return before.filter { !found.contains($0) }.map { Change(device: $0, isThere: false) }
      + found.filter { !before.contains($0) }.map { Change(device: $0, isThere: true) }
  }
}
