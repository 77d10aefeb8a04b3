// SPDX-License-Identifier: MIT

internal import JACK
internal import Realtime
internal import Synchronization

/// The client that plays files and tones; its sources come and go while it runs.
///
/// Belongs to the control thread.
@safe
final class SourceClient {
  /// An arrangement that the audio thread uses or may still use.
  @safe
  private struct Entry {
    let arrangement: UnsafeMutablePointer<SourceArrangement>
    /// The players and tones, kept as long as the arrangement.
    let sources: [HostSource]
    /// The ports that only earlier arrangements have.
    var leaving: [AudioOutputPort] = []

    var address: UInt { UInt(bitPattern: unsafe arrangement) }
  }

  /// The client's calls.
  let connection: ClientConnection
  /// The sources with their ports, channel by channel.
  private(set) var groups: [(id: String, ports: [AudioOutputPort])] = []

  private var entries: [Entry]
  /// Ports that are registered and not played on yet, by source.
  private var prepared: [String: [AudioOutputPort]] = [:]
  private let state: UnsafeMutablePointer<SourceProcess>
  private var client: ActiveClient?

  /// Opens the client without sources.
  ///
  /// - Parameters:
  ///   - name: The client's name.
  ///   - title: Its name for people.
  ///   - server: The JACK server's name.
  /// - Throws: JACK's error; the client is closed then.
  init(name: String, title: String, server: String) throws(JACKError) {
    let opened = try OpenedClient.open(name: name, server: server)
    connection = opened.connection
    connection.introduce(as: title, icon: "multimedia-player")
    let first = unsafe SourceArrangement.make([])
    unsafe entries = [Entry(arrangement: first, sources: [])]
    let state = unsafe SourceProcess.make(first)
    unsafe self.state = state
    client = try unsafe opened.activate(
      process: sourceProcess,
      context: UnsafeMutableRawPointer(state),
    )
  }

  // MARK: - Changes

  /// Registers the ports that these sources need beyond the present ones; they are silent until ``take(_:)``.
  ///
  /// - Throws: JACK's error; ``discard()`` unregisters the others then.
  func prepare(_ wanted: [PortLayout.Group], labels: [String: String]) throws(JACKError) {
    var order = groups.reduce(0) { $0 + $1.ports.count }
    for group in wanted {
      let present = groups.first { $0.id == group.id }?.ports.count ?? 0
      guard group.channels > present else { continue }
      prepared[group.id] = try connection.registerGroup(
        group.id,
        label: labels[group.id],
        names: (present..<group.channels).map { PortNames.source(group.id, channel: $0) },
        order: &order,
        flags: .terminal,
      )
    }
  }

  /// The full names of the ports that are registered and not played on yet.
  var preparedNames: Set<String> {
    Set(
      prepared.flatMap { id, ports in
        let first = groups.first { $0.id == id }?.ports.count ?? 0
        return ports.indices.map {
          "\(connection.name):\(PortNames.source(id, channel: first + $0))"
        }
      }
    )
  }

  /// Unregisters what ``prepare(_:labels:)`` has registered.
  func discard() {
    for port in prepared.values.joined() { connection.leave(port) }
    prepared.removeAll()
  }

  /// Gives the ports of sources other names, with their connections; ``takeNames(_:)`` follows.
  ///
  /// - Throws: JACK's error; the log knows what to undo.
  func rename(_ renames: [String: String], _ log: inout RenameLog) throws(JACKError) {
    for (id, ports) in groups {
      guard let new = renames[id] else { continue }
      for (channel, port) in ports.enumerated() {
        try log.rename(
          port,
          from: PortNames.source(id, channel: channel),
          to: PortNames.source(new, channel: channel),
          on: connection,
        )
      }
    }
  }

  /// Takes over the names of sources whose ports have been renamed.
  func takeNames(_ renames: [String: String]) {
    groups = groups.map { (renames[$0.id] ?? $0.id, $0.ports) }
  }

  /// Plays these sources from the next cycle on; others leave with their ports.
  ///
  /// - Parameter sources: The sources, in their order; their ports are there or prepared.
  func take(_ sources: [(id: String, channels: Int, source: HostSource)]) {
    var before = Dictionary(groups.map { ($0.id, $0.ports) }) { first, _ in first }
    groups = sources.map { id, channels, _ in
      let ports = (before.removeValue(forKey: id) ?? []) + (prepared.removeValue(forKey: id) ?? [])
      if ports.count > channels { before[id] = Array(ports[channels...]) }
      return (id, Array(ports.prefix(channels)))
    }
    let arrangement = unsafe SourceArrangement.make(
      zip(sources, groups).map { ($0.source.generator, $1.ports) }
    )
    unsafe entries.append(
      Entry(
        arrangement: arrangement,
        sources: sources.map(\.source),
        leaving: before.values.flatMap(\.self),
      )
    )
    // One that the audio thread has not taken stays in the list until a later one is in use.
    _ = unsafe state.pointee.newest.publish(arrangement)
  }

  /// Frees memory and ports that the audio thread no longer uses.
  func collect() {
    let used = unsafe state.pointee.used.load(ordering: .acquiring)
    guard let place = entries.firstIndex(where: { $0.address == used }) else { return }
    for port in entries[...place].flatMap(\.leaving) { connection.leave(port) }
    entries[place].leaving = []
    for entry in entries[..<place] { unsafe SourceArrangement.free(entry.arrangement) }
    entries.removeFirst(place)
  }

  /// Whether the audio thread plays the newest sources, and all others have left.
  var isSettled: Bool { entries.count == 1 && entries[0].leaving.isEmpty }

  /// Closes the client and frees the memory of its callback.
  ///
  /// Where libjack does not return in time, the memory stays, because a callback may still run.
  func close() {
    guard let client = client.take() else { return }
    guard client.close() != .timedOut else {
      _ = unsafe Unmanaged.passRetained(self)
      return
    }
    unsafe SourceProcess.free(state)
    for entry in entries { unsafe SourceArrangement.free(entry.arrangement) }
    entries.removeAll()
  }
}
