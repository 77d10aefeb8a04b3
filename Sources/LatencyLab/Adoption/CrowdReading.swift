// SPDX-License-Identifier: MIT

import CRealtime
import Glibc
import JACK
import Synchronization

/// The level of one channel while the clients of a crowd were moved to their strips.
///
/// Each client plays one constant level, and all strips have one lower gain. So each sample is level × (direct
/// clients + strip clients × gain), which gives the number of clients on each path. A plain value:
/// [any-thread].
struct CrowdReading: Equatable, Sendable {
  /// Frames that were missing, summed over the clients.
  private(set) var gapFrames = 0
  /// The longest stretch in which any client was missing, in frames.
  private(set) var longestGapFrames = 0
  /// Frames in which more clients were heard than there are.
  private(set) var doubledFrames = 0
  /// Frames whose level has no explanation, such as those of a ramp.
  private(set) var unreadableFrames = 0
  /// Clients that are heard through their strips at the end.
  private(set) var stripClients = 0

  /// Reads a recording.
  ///
  /// - Parameters:
  ///   - samples: The channel.
  ///   - clients: Number of clients.
  ///   - levelLinear: The level of a client on its direct path.
  ///   - stripGainLinear: The gain of every strip, above 0 and below 1.
  init(_ samples: [Float], clients: Int, levelLinear: Float, stripGainLinear: Float) {
    var most = 0
    var gap = 0
    var last: (sample: Float, heard: (direct: Int, strip: Int)?)?
    for sample in samples {
      let heard: (direct: Int, strip: Int)?
      if let last, last.sample == sample {
        heard = last.heard
      } else {
        heard = Self.explain(
          Double(sample) / Double(levelLinear),
          clients: clients,
          gain: Double(stripGainLinear),
        )
        last = (sample, heard)
      }
      guard let heard else {
        unreadableFrames += 1
        continue
      }
      let count = heard.direct + heard.strip
      if count > clients { doubledFrames += 1 }
      most = min(clients, max(most, count))
      gapFrames += max(0, most - count)
      gap = count < most ? gap + 1 : 0
      longestGapFrames = max(longestGapFrames, gap)
      stripClients = heard.strip
    }
  }

  /// The numbers of clients on both paths whose sum is nearest; nil if none is near enough.
  ///
  /// Up to twice as many as there are, because a client that is heard on both paths counts on both.
  private static func explain(
    _ sum: Double,
    clients: Int,
    gain: Double,
  ) -> (direct: Int, strip: Int)? {
    var best: (direct: Int, strip: Int)?
    var smallest = tolerance
    for strip in 0...clients {
      let direct = (sum - Double(strip) * gain).rounded()
      let error = abs(sum - Double(strip) * gain - direct)
      guard direct >= 0, direct <= Double(clients), error < smallest else { continue }
      smallest = error
      best = (Int(direct), strip)
    }
    return best
  }

  /// Sums of 200 single-precision samples are exact to a thousandth of a client's level.
  private static let tolerance = 0.002
}

/// Notes when each client of a crowd was connected to the loudspeakers, and when to its strip alone.
///
/// Fed by the server's notifications to a client beside the crowd: [any-thread].
final class CrowdWatch: Sendable {
  /// The connections since ``begin()``.
  struct Result: Sendable {
    /// From a client's first connection until its strip alone was connected, in nanoseconds; one entry per moved client.
    var movedNanoseconds: [Int64] = []
    /// From ``begin()`` until the last client was moved.
    var wholeNanoseconds: UInt64 = 0
    /// Ports and connections that came or went.
    var portEvents = 0
  }

  private struct Client {
    var firstNanoseconds: UInt64?
    var movedNanoseconds: UInt64?
    var direct = 0
    var strip = 0
  }

  private struct State {
    var beganNanoseconds: UInt64 = 0
    var portEvents = 0
    var clients: [Substring: Client] = [:]
  }

  private let clientCount: Int
  private let channels: Int
  private let state = Mutex(State())
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ connection: ClientConnection, clients: Int, channels: Int) {
    clientCount = clients
    self.channels = channels
    let notifications = connection.notifications
    let listener = Task { [weak self] in
      for await notification in notifications { self?.note(notification) }
    }
    task.withLock { $0 = listener }
  }

  /// Discards the connections so far, and counts from now on.
  func begin() {
    state.withLock { $0 = State(beganNanoseconds: realtime_now_nanoseconds()) }
  }

  /// Ends the watch.
  func stop() { task.withLock { $0?.cancel() } }

  /// Whether every client is connected to its strip alone.
  var isComplete: Bool {
    state.withLock { state in
      state.clients.count == clientCount
        && state.clients.values.allSatisfy { $0.movedNanoseconds != nil }
    }
  }

  /// The connections so far.
  var result: Result {
    state.withLock { state in
      let moves = state.clients.values.compactMap { client in
        client.movedNanoseconds.flatMap { moved in client.firstNanoseconds.map { (moved, $0) } }
      }
      return Result(
        movedNanoseconds: moves.map { Int64($0.0) - Int64($0.1) },
        wholeNanoseconds: (moves.map(\.0).max() ?? state.beganNanoseconds) - state.beganNanoseconds,
        portEvents: state.portEvents,
      )
    }
  }

  private func note(_ notification: ClientNotification) {
    let now = realtime_now_nanoseconds()
    state.withLock { state in
      switch notification {
      case .portRegistered, .portUnregistered:
        state.portEvents += 1
      case .portsConnected(let source, let destination):
        state.portEvents += 1
        change(&state, source, destination, by: 1, at: now)
      case .portsDisconnected(let source, let destination):
        state.portEvents += 1
        change(&state, source, destination, by: -1, at: now)
      default:
        break
      }
    }
  }

  private func change(
    _ state: inout State,
    _ source: String,
    _ destination: String,
    by step: Int,
    at now: UInt64,
  ) {
    let name = source.prefix { $0 != ":" }
    guard name.hasPrefix("app-") else { return }
    var client = state.clients[name] ?? Client()
    if destination.hasPrefix("speaker:") {
      client.direct += step
      client.firstNanoseconds = client.firstNanoseconds ?? now
    } else {
      client.strip += step
    }
    let isMoved = client.direct == 0 && client.strip == channels
    client.movedNanoseconds = isMoved ? client.movedNanoseconds ?? now : nil
    state.clients[name] = client
  }
}

/// One client of a crowd, in a process of its own, because libjack activates the clients of one process one at
/// a time.
///
/// Runs on the task of its command: [control-thread].
public enum CrowdClient {
  /// Plays one level on two outputs, connects them to the loudspeakers, and runs until the task is cancelled.
  ///
  /// - Parameters:
  ///   - name: The client's name.
  ///   - server: The server's name; nil takes the default one.
  ///   - levelLinear: The level.
  /// - Throws: ``LabError`` `jack` or `cancelled`.
  public static func run(name: String, server: String?, levelLinear: Float) async throws(LabError) {
    let client = try ConstantVoice.client(
      name: name,
      server: server,
      outputs: channels,
      levelLinear: levelLinear,
    )
    defer { client.close() }
    for channel in 1...channels {
      try client.connect("\(name):out_\(channel)", to: "speaker:in_\(channel)")
    }
    while true { try await LabError.sleep(.seconds(60)) }
  }

  /// Outputs of a client, and loudspeakers.
  static let channels = 2
}

/// The processes of a crowd.
///
/// Belongs to the control thread of its benchmark.
struct CrowdProcesses {
  private let processes: [PeerProcess]

  /// Starts all clients, one after the other without a pause.
  ///
  /// - Parameters:
  ///   - count: Number of clients, named `app-1` and so on.
  ///   - helpers: The path of the program with the client.
  ///   - server: The server's name.
  ///   - levelLinear: The level of each client.
  /// - Throws: ``LabError`` `tool` when one cannot be started.
  init(count: Int, helpers: String, server: String, levelLinear: Float) throws(LabError) {
    var processes: [PeerProcess] = []
    for number in 1...count {
      processes.append(
        try PeerProcess(
          helpers,
          ["bench", "crowd-client", "--name", "app-\(number)", "--server", server]
            + ["--level", "\(levelLinear)"],
          environment: ["JACK_NO_START_SERVER": "1"],
        )
      )
    }
    self.processes = processes
  }

  /// The number of clients that have ended by themselves.
  var endedCount: Int { processes.count(where: \.hasEnded) }

  /// Ends all clients.
  func stop() {
    for process in processes { kill(process.pid, SIGTERM) }
    for process in processes { process.stop() }
  }
}
