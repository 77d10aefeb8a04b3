// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import InterAppAudio
import JACK
import Logging
import NSM
import NodeKit

/// `multiroute node …`: the shipped nodes.
struct NodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "node",
    abstract: "Run one of the shipped nodes.",
    subcommands: [NodeRunCommand.self],
  )
}

/// `multiroute node run KIND`: publishes a node and renders until interrupted.
struct NodeRunCommand: AsyncParsableCommand {
  enum Loss: String, ExpressibleByArgument, CaseIterable { case stop, stay }

  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Publish a shipped node: player, synth, delay, equalizer or gate.",
    discussion: "Example: multiroute node run delay --time 400ms --mix 0.3",
  )

  @OptionGroup var server: NodeServerOption
  @Argument(
    help: "player, synth, delay, equalizer or gate.",
    transform: ShippedNode.init(argument:)
  ) var kind: ShippedNode
  @Option(help: "The name of its JACK client.") var name: String?
  @Option(help: "player: the sound file.") var file: String?
  @Flag(help: "player: play only while the host's transport rolls.") var followTransport = false
  @Option(
    parsing: .unconditional,
    help: "synth: the highest level of one voice, -90dB to 0dB full scale (default: -14dB).",
    transform: { try QuantityArgument.gainDB($0, in: PolySynth.gainRangeDB) },
  )
  var gain = -14.0
  @Option(
    parsing: .unconditional,
    help: "delay: the time between echoes, 1ms to 5s (default: 350ms).",
    transform: {
      try QuantityArgument.seconds($0, in: StereoDelay.Settings.delayRangeSeconds)
    },
  )
  var time = 0.35
  @Option(parsing: .unconditional, help: "delay: the share of each echo that repeats, 0 to 0.95.")
  var feedback: Float = 0.4
  @Option(
    parsing: .unconditional,
    help: "delay: the level of the echoes, 0 to 1; 0 passes the input on bit for bit.",
  )
  var mix: Float = 0.35
  @Option(
    parsing: .unconditionalSingleValue,
    help: "equalizer: a band as HZ,DB,Q, such as 1000,-6,1; can be repeated up to eight times.",
  )
  var band: [EqualizerBand] = []
  @Flag(help: "Publish without the inter-app-audio entitlement, to see a host refuse (IAA-3).")
  var withoutEntitlement = false
  @Option(help: "When its host dies or the server is gone: stop, or stay.") var onLoss = Loss.stay

  func validate() throws {
    if kind == .player, file == nil {
      throw ValidationError("the node 'player' needs '--file FILE'")
    }
    try Self.check(feedback, in: StereoDelay.Settings.feedbackRangeLinear, "--feedback")
    try Self.check(mix, in: StereoDelay.Settings.mixRangeLinear, "--mix")
  }

  private static func check<Value: FloatingPoint>(
    _ value: Value,
    in range: ClosedRange<Value>,
    _ option: String,
  ) throws {
    guard !range.contains(value) else { return }
    throw ValidationError(
      "\(option) \(value) is out of range; allowed: \(range.lowerBound) to \(range.upperBound)"
    )
  }

  func run() async throws {
    Log.begin(at: .warning)
    let stops = await StopSignals.trapped()
    let session = try await ManagedSession.join(
      application: "MultiRoute-\(kind.rawValue)",
      capabilities: [.switch],
    )
    do {
      if let session { return try await run(in: session, until: stops) }
      let (ends, ending) = AsyncStream.makeStream(of: Void.self)
      stops.whenStopped { ending.finish() }
      let node = try publish(as: name)
      defer { node.close() }
      Terminal.say("published \(node.name)")
      let events = node.events
      let endsWithHost = onLoss == .stop
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await event in events {
            if let text = event.text { Terminal.say(text) }
            if event == .serverGone || endsWithHost && event.isLoss { return }
          }
        }
        group.addTask { for await _ in ends {} }
        await group.next()
        group.cancelAll()
      }
    } catch let error as InterAppAudioError {
      session?.refuse(.general, error.message)
      Terminal.complain("error: \(error.message)")
      throw ExitCode(error)
    } catch let error as JACKError {
      session?.refuse(.general, error.advice)
      Terminal.complain("error: \(error.advice)")
      throw ExitCode.unavailable
    }
  }

  /// Runs in a session: under the name that the manager gives, until a signal ends the program.
  ///
  /// - Throws: The fault of a node that cannot be published for the first project; status 69 if the node is lost later.
  private func run(in session: ManagedSession, until stops: StopSignals) async throws {
    stops.whenStopped { session.end() }
    var clientID = session.project.clientID
    var node: (any RunningNode)? = try publish(as: clientID)
    defer { node?.close() }
    if let node { Terminal.say("published \(node.name)") }
    session.opened()
    await session.serve(switching: { project in
      if project.clientID == clientID {
        // JACK would give the second of two nodes another name.
        node?.close()
        node = nil
        // A session does not keep a member that cannot play.
        defer { if node == nil { session.end() } }
        node = try publish(as: clientID)
      } else {
        let next = try publish(as: project.clientID)
        node?.close()
        node = next
        clientID = project.clientID
      }
      if let node { Terminal.say("published \(node.name)") }
    })
    if node == nil { throw ExitCode.unavailable }
  }

  private func publish(as name: String?) throws -> any RunningNode {
    var description = kind.description
    description.hasEntitlement = !withoutEntitlement
    let server = server.server
    switch kind {
    case .player:
      return try FilePlayerNode.publish(
        path: file ?? "",
        followsTransport: followTransport,
        description,
        client: name,
        server: server,
      )
    case .synth:
      return try PolySynth.publish(description, gainDB: gain, client: name, server: server)
    case .delay:
      let settings = StereoDelay.Settings(
        delaySeconds: time,
        feedbackLinear: feedback,
        mixLinear: mix,
      )
      return try StereoDelay.publish(
        description,
        settings: settings,
        client: name,
        server: server,
      )
    case .equalizer:
      return try ParametricEqualizer.publish(
        description,
        bands: band.map(\.band),
        client: name,
        server: server,
      )
    case .gate:
      return try NoteGate.publish(description, client: name, server: server)
    }
  }
}

extension ShippedNode {
  /// Reads the kind from the command line.
  fileprivate init(argument: String) throws {
    guard let kind = ShippedNode(rawValue: argument) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("the node '\(argument)' is not known; allowed: \(names)")
    }
    self = kind
  }
}

/// `HZ,DB,Q` on the command line.
///
/// Pure value: [any-thread].
struct EqualizerBand: ExpressibleByArgument {
  let band: ParametricEqualizer.Band

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double($0) }
    guard (2...3).contains(parts.count), let frequency = parts[0], let gain = parts[1],
      let quality = parts.count == 3 ? parts[2] : 1
    else { return nil }
    band = ParametricEqualizer.Band(frequencyHz: frequency, gainDB: gain, quality: quality)
  }
}

extension NodeEvent {
  /// One line for people and scripts; nil for changes of parameters, which a fader makes by the hundred.
  fileprivate var text: String? {
    switch self {
    case .connected(let host): "connected to \(host.name)"
    case .disconnected: "disconnected"
    case .hostDied(let name): "host \(name) is gone"
    case .hostTransportChanged: "the host's transport has changed"
    case .activated(let peer): "activated by \(peer)"
    case .parameterChanged: nil
    case .serverGone: "the JACK server is gone"
    }
  }

  fileprivate var isLoss: Bool {
    switch self {
    case .hostDied, .serverGone: true
    default: false
    }
  }
}
