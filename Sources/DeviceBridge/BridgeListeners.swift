// SPDX-License-Identifier: MIT

internal import JACK

/// The clients that may hear the ports of a capture bridge: those of one process.
///
/// A port gives silence in each cycle in which it has another number of connections than those to this process. So no
/// other program hears the card, whatever it connects. Belongs to the control thread of its ``Bridge``.
final class BridgeListeners {
  /// The approved connections of each port, in the order of the channels.
  let approvals: [ApprovedConnections]

  private let prefix: String
  private let process: Int32
  private let find: (_ client: String) -> Int32?
  /// The connections of each port to the process.
  private var connected: [Set<String>]
  /// Whether a client belongs to the process.
  private var known: [String: Bool] = [:]

  /// Approves no connection yet.
  ///
  /// - Parameters:
  ///   - channels: The number of capture ports.
  ///   - connection: The bridge's client, with these ports.
  ///   - process: The process whose clients may hear them.
  /// - Throws: ``JACKError``; `refused` under PipeWire, where connections cannot be counted.
  convenience init(
    of channels: Int,
    on connection: ClientConnection,
    process: Int32,
  ) throws(JACKError) {
    var approvals: [ApprovedConnections] = []
    for channel in 0..<channels {
      let name = Self.prefix(of: connection.name) + "\(channel + 1)"
      guard let port = try connection.watchedPort(named: name) else {
        for approved in approvals { approved.free() }
        throw .cannotCount(name)
      }
      approvals.append(ApprovedConnections(of: port))
    }
    self.init(approvals: approvals, client: connection.name, process: process) {
      ClientProcess.find(client: $0)?.pid
    }
  }

  /// Approves no connection yet; tests find processes by a script.
  init(
    approvals: [ApprovedConnections],
    client: String,
    process: Int32,
    find: @escaping (_ client: String) -> Int32?,
  ) {
    self.approvals = approvals
    self.process = process
    self.find = find
    prefix = Self.prefix(of: client)
    connected = Array(repeating: [], count: approvals.count)
  }

  private static func prefix(of client: String) -> String { "\(client):capture_" }

  /// Releases the memory, which the audio thread no longer uses.
  func free() { for approved in approvals { approved.free() } }

  /// Handles a change of connections, and the end of a client.
  func take(_ notification: ClientNotification) {
    switch notification {
    case .portsConnected(let source, let destination):
      guard let channel = channel(of: source), belongs(destination) else { return }
      connected[channel].insert(destination)
      approvals[channel].approve(connected[channel].count)
    case .portsDisconnected(let source, let destination):
      guard let channel = channel(of: source), connected[channel].remove(destination) != nil else {
        return
      }
      approvals[channel].approve(connected[channel].count)
    case .clientUnregistered(let client): known[client] = nil
    default: break
    }
  }

  private func channel(of port: String) -> Int? {
    guard port.hasPrefix(prefix), let number = Int(port.dropFirst(prefix.count)),
      approvals.indices.contains(number - 1)
    else { return nil }
    return number - 1
  }

  private func belongs(_ port: String) -> Bool {
    let client = String(port.prefix { $0 != ":" })
    if let known = known[client] { return known }
    let belongs = find(client) == process
    known[client] = belongs
    return belongs
  }
}
