// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// The JACK client of a host, with what its callbacks work on.
///
/// Used by one ``InterAppHost`` alone.
@safe
final class HostClient: @unchecked Sendable {
  let connection: ClientConnection
  private let process: UnsafeMutablePointer<HostProcess>
  private let timebase: UnsafeMutablePointer<HostTimebase>
  private var active: ActiveClient?

  init(name: String, server: String?) throws(JACKError) {
    let opened = try OpenedClient.open(name: name, server: server)
    connection = opened.connection
    let clock: MIDIOutputPort = try connection.register("midi_clock")
    unsafe process = .allocate(capacity: 1)
    unsafe process.initialize(to: HostProcess(clockPort: clock))
    unsafe timebase = .allocate(capacity: 1)
    unsafe timebase.initialize(to: HostTimebase())
    active = try unsafe opened.activate(
      process: hostProcess,
      context: UnsafeMutableRawPointer(process),
    )
  }

  deinit { close() }

  func add(_ slot: HostProcess.Slot) -> Bool { unsafe process.pointee.add(slot) }

  /// How many MIDI messages were given too late.
  var lateMIDICount: Int { unsafe process.pointee.lateCount.load(ordering: .relaxed) }

  func setTempo(
    beatsPerMinute: Double,
    beatsPerBar: Int,
    beatType: Int,
  ) throws(JACKError) {
    unsafe timebase.pointee.set(
      beatsPerMinute: beatsPerMinute,
      beatsPerBar: beatsPerBar,
      beatType: beatType,
    )
    try unsafe connection.becomeTimebaseMaster(
      hostTimebase,
      context: UnsafeMutableRawPointer(timebase),
      conditional: false,
    )
  }

  func close() {
    guard let active = active.take() else { return }
    try? connection.removeAllMetadata(of: connection.uuid)
    guard active.close() != .timedOut else { return }
    unsafe process.deinitialize(count: 1)
    unsafe process.deallocate()
    unsafe timebase.deinitialize(count: 1)
    unsafe timebase.deallocate()
  }
}
