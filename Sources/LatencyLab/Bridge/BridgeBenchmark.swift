// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import JACK
import Synchronization

/// `bench bridge`: the sound quality of bridges between two clocks, of MultiRoute's and zita-j2a, measured in
/// turn on one machine.
///
/// Before them the card is measured without a bridge, to show its own lateness and unsteadiness.
///
/// A JACK server with the dummy driver plays a tone and impulses through the bridge into the ALSA
/// device `pipewire`; a recorder listens to the sink's monitor. Needs `scripts/dummy-card` around it.
///
/// Runs on the task of its command: [control-thread].
public struct BridgeBenchmark: Sendable {
  /// A bridge that is measured.
  public enum Peer: String, Sendable, CaseIterable {
    /// `multiroute bridge`.
    case multiroute
    /// `zita-j2a`.
    case zita
  }

  /// The `multiroute` program with the bridge, and the program with the recorder and the card's player.
  public var programs: LabPrograms
  /// Offsets of JACK's rate from the device's, in parts per million; the rate is rounded to whole Hz.
  public var offsetsPPM = [0.0, 200, -200, 1000, -1000]
  /// The period of both sides in frames.
  public var periodFrames = 256
  /// The device's rate in Hz.
  public var deviceRateHz = 48_000
  /// Seconds to let the bridge settle.
  public var settleSeconds = 25.0
  /// Duration of the measurement.
  public var measureSeconds = 60.0
  /// The bridges to measure.
  public var peers = Peer.allCases
  /// Whether to measure the card itself first, with a program that plays to it and no bridge.
  public var measuresCard = true
  /// The sink whose monitor is listened to.
  public var sinkName = "dummy-card"

  /// Makes a benchmark of both bridges.
  ///
  /// - Parameter programs: The programs to start.
  public init(programs: LabPrograms) { self.programs = programs }

  /// Runs it.
  ///
  /// - Parameter progress: Called at each step.
  /// - Returns: One record for the card, and one for each bridge and offset.
  /// - Throws: ``LabError`` `tool` when a program or the card is missing, `jack`, or `cancelled`.
  public func run(
    progress: BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> [BenchRecord] {
    var records: [BenchRecord] = []
    // A measurement of the card alone has no clock offset.
    let card: [(Double, Peer?)] = measuresCard ? [(0, nil)] : []
    let runs = card + offsetsPPM.flatMap { offset in peers.map { (offset, $0) } }
    for (index, (offset, peer)) in runs.enumerated() {
      progress(
        BenchProgress(
          step: index + 1,
          stepCount: runs.count,
          label: peer.map { "\($0.rawValue), \(Int(offset)) ppm" } ?? "the card, no bridge",
          fractionDone: Double(index) / Double(runs.count),
          secondsLeft: Double(runs.count - index) * (settleSeconds + measureSeconds + 4),
        )
      )
      if let peer {
        records.append(try await measure(peer, offsetPPM: offset))
      } else {
        records.append(try await measureCard())
      }
    }
    for (index, (offset, peer)) in runs.enumerated() where peer == .multiroute {
      guard let zita = runs.firstIndex(where: { $0 == offset && $1 == .zita }) else { continue }
      records[index].tellRatios(toZita: records[zita])
    }
    return records
  }

  private func measure(
    _ peer: Peer,
    offsetPPM: Double,
  ) async throws(LabError) -> BenchRecord {
    let rate = Int((Double(deviceRateHz) * (1 + offsetPPM * 1e-6)).rounded())
    let server = ServerProcess(
      ServerConfiguration(
        name: "bridge-bench",
        driver: .dummy,
        sampleRateHz: UInt32(rate),
        periodFrames: UInt32(periodFrames),
        captureChannels: 2,
        playbackChannels: 2,
      )
    )
    try await Self.start(server)
    let outcome: Result<BenchRecord, LabError>
    do throws(LabError) {
      outcome = .success(try await measure(peer, server: server.configuration.name, rateHz: rate))
    } catch {
      outcome = .failure(error)
    }
    await server.stop()
    return try outcome.get()
  }

  private static func start(_ server: ServerProcess) async throws(LabError) {
    do throws(JACKError) {
      try await server.start()
    } catch {
      throw LabError(error)
    }
  }

  private func measure(
    _ peer: Peer,
    server: String,
    rateHz: Int,
  ) async throws(LabError) -> BenchRecord {
    let startedAt = Date()
    let player = try unsafe LabClient<BridgeTapState>(
      name: "bridge-player",
      server: server,
      process: bridgePlayerProcess,
    ) { connection throws(JACKError) in try makePlayer(connection, rateHz) }
    defer { player.close() }
    let folder = try Self.makeFolder()
    let path = folder.path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(at: folder) }

    let lines = "\(path)/lines"
    let bridge = try startBridge(peer, server: server, writingTo: lines)
    defer { bridge.stop() }
    let recorder = try startRecorder(writingTo: "\(path)/recording")
    defer { recorder.stop() }
    let port = try await connect(player.connection, to: peer)
    try await LabError.sleep(.seconds(settleSeconds))
    let accountBefore = BridgeAccount(readingFrom: lines)
    let before = ThreadTimes(ofProcess: bridge.pid)
    let xruns = player.connection.xruns.count
    try await LabError.sleep(.seconds(measureSeconds))
    let busy = Double(ThreadTimes(ofProcess: bridge.pid).allNanoseconds(since: before)) * 1e-9
    let account = BridgeAccount(readingFrom: lines)
    let claim = try LabError.wrapping { () throws(JACKError) in
      try player.connection.latencyRange(ofPort: port, .playback)
    }
    let jackXruns = Double(player.connection.xruns.count - xruns)
    try await waitForFile("\(path)/recording")
    let recording = try BridgeRecording(readingFrom: "\(path)/recording")
    let analysis = BridgeAnalysis(
      recording,
      from: Int(settleSeconds * recording.sampleRateHz),
      frequencyHz: BridgeStimulus.toneHz,
      played: unsafe player.state.pointee.madeStamps,
      playerRateHz: Double(rateHz),
      impulseFrames: rateHz,
    )
    return record(
      "\(peer.rawValue), JACK at \(rateHz) Hz",
      startedAt: startedAt,
      analysis: analysis,
      claimedMilliseconds: Double(claim.maxFrames) / Double(rateHz) * 1000,
      busyPercent: 100 * busy / measureSeconds,
      jackXruns: jackXruns,
      account: account?.since(accountBefore),
    )
  }

  /// A folder for the output of other programs.
  static func makeFolder() throws(LabError) -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "bridge-bench-\(getpid())")
    try OutputFile.makeDirectory(folder.path(percentEncoded: false))
    return folder
  }

  func startRecorder(writingTo path: String) throws(LabError) -> PeerProcess {
    try PeerProcess(
      "pw-jack",
      [
        programs.helpers, "bench", "bridge-recorder", "--seconds",
        "\(settleSeconds + measureSeconds)",
      ]
        + ["--out", path, "\(sinkName):monitor_AUX0", "\(sinkName):monitor_AUX1"],
    )
  }

  private func startBridge(
    _ peer: Peer,
    server: String,
    writingTo path: String,
  ) throws(LabError) -> PeerProcess {
    switch peer {
    case .multiroute:
      return try PeerProcess(
        programs.host,
        ["bridge", "--device", "pipewire", "--playback", "--name", peer.rawValue]
          + ["--server", server, "--rate", "\(deviceRateHz)", "--frames", "\(periodFrames)"]
          + ["--json", "--interval", "500"],
        outputPath: path,
      )
    case .zita:
      return try PeerProcess(
        "zita-j2a",
        ["-j", peer.rawValue, "-d", "pipewire", "-c", "2", "-r", "\(deviceRateHz)"]
          + ["-p", "\(periodFrames)", "-n", "2"],
        environment: ["JACK_DEFAULT_SERVER": server],
      )
    }
  }

  private func makePlayer(
    _ connection: ClientConnection,
    _ rateHz: Int,
  ) throws(JACKError) -> BridgeTapState {
    var state = BridgeTapState(
      frames: rateHz,
      stampCapacity: Int((settleSeconds + measureSeconds + 20) * Double(rateHz)) / periodFrames,
      rateHz: Double(rateHz),
    )
    let stimulus = BridgeStimulus(rateHz: rateHz)
    for (channel, samples) in [stimulus.tone, stimulus.impulses].enumerated() {
      for (frame, sample) in samples.enumerated() {
        unsafe state.samples[channel * rateHz + frame] = sample
      }
    }
    for channel in 0..<2 { state.outputs[channel] = try connection.register("out_\(channel + 1)") }
    return state
  }

  /// - Returns: The bridge's first port.
  private func connect(
    _ player: ClientConnection,
    to peer: Peer,
  ) async throws(LabError) -> String {
    for _ in 0..<200 {
      let ports = try LabError.wrapping { () throws(JACKError) in
        try player.ports(matching: "^\(peer.rawValue):", kind: AudioKind.self, flags: .input)
      }
      if ports.count == 2 {
        // JACK lists them in the order of its own numbers, which it uses again and again.
        let sorted = ports.map(\.name).sorted()
        for (index, port) in sorted.enumerated() {
          _ = try LabError.wrapping { () throws(JACKError) in
            try player.connect("\(player.name):out_\(index + 1)", to: port)
          }
        }
        return sorted[0]
      }
      try await LabError.sleep(.milliseconds(50))
    }
    throw LabError(
      .tool,
      "\(peer.rawValue): no bridge with 2 inputs within 10 s; run this as scripts/dummy-card COMMAND, "
        + "with the package zita-ajbridge",
    )
  }

  func waitForFile(_ path: String) async throws(LabError) {
    for _ in 0..<400 {
      // It is written elsewhere first: once it is there it is whole.
      if FileManager.default.fileExists(atPath: path) { return }
      try await LabError.sleep(.milliseconds(50))
    }
    throw LabError(
      .tool,
      "\(sinkName): its monitor could not be recorded; run this as scripts/dummy-card COMMAND",
    )
  }
}
