// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// `multiroute save`: the mix of a running host in its graph file.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct SaveTests {
  private static let graph = """
    # Two decks and a voice.
    multiroute: 1
    session: {category: multiRoute, options: [mixWithOthers]} # several outputs

    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2], gain: -6dB} # the room
      phones:
        type: headphones
        ports: [system:playback_3, system:playback_4] # the same card
    sources:
      deck-a: {tone: {frequency: 480 Hz, level: -20 dB}, channels: 2} # 🎵 left
      deck-b: {tone: {frequency: 960 Hz, level: -20 dB}}
      voice:
        tone: {wave: pinkNoise}
        mute: false # open
    mix:
      - {from: deck-a, to: main}
      - {from: deck-b, to: main, gain: -3 dB} # quiet
    controls:
      crossfader: {a: deck-a, b: deck-b, position: -50 %}
      cue: {to: phones}

    """

  /// The values of a host that a graph file has.
  private static func values(_ status: HostStatus) -> [String] {
    let strips = status.strips.map { "\($0.id) \($0.gainDB) \($0.muted) \($0.pan) \($0.cue)" }
    let routes = status.routes.map {
      "\($0.name) \($0.gainDB) \($0.muted) \($0.alignment?.rawValue ?? "") \($0.delayFrames)"
    }
    let sends = status.sends.map { send in
      let cells = send.cells.map {
        "\($0.stripChannel)/\($0.routeChannel)/\(($0.gainDB * 100).rounded())"
      }
      return "\(send.strip)-\(send.route) \(send.gainDB) \(send.muted) \(cells)"
    }
    let chains = status.inserts.map { chain in
      "\(chain.strip ?? "")\(chain.route ?? "") \(chain.wet) \(chain.nodes.map { "\($0.name) \($0.bypassed)" })"
    }
    return strips + routes + sends.sorted() + chains.sorted()
      + ["\(((status.crossfader?.position ?? 9) * 1_000).rounded())"]
  }

  /// Makes a change by hand.
  private static func change(_ control: ControlClient, _ random: inout SeededRandom) async throws {
    let strip = ["deck-a", "deck-b", "voice"].randomElement(using: &random) ?? ""
    let route = ["main", "phones"].randomElement(using: &random) ?? ""
    let gain = Double(Int.random(in: -6_000...2_400, using: &random)) / 100
    let position = Double(Int.random(in: -1_000...1_000, using: &random)) / 1_000
    let isOn = Bool.random(using: &random)
    let send = MixTarget.send(strip: strip, route: route)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: _ = try await control.call(SetGain.self, .init(target: .strip(strip), gainDB: gain))
    case 1: _ = try await control.call(SetGain.self, .init(target: .route(route), gainDB: gain))
    case 2: _ = try await control.call(SetMute.self, .init(target: .strip(strip), muted: isOn))
    case 3: _ = try await control.call(SetMute.self, .init(target: .route(route), muted: isOn))
    case 4: _ = try await control.call(SetPan.self, .init(strip: strip, pan: position))
    case 5: _ = try await control.call(SetCrossfader.self, .init(position: position))
    case 6: _ = try await control.call(SetCue.self, .init(strip: strip, cue: isOn))
    case 7:
      let params = SetSend.Params(strip: strip, route: route, gainDB: gain)
      _ = try await control.call(SetSend.self, params)
      _ = try await control.call(SetMute.self, .init(target: send, muted: isOn))
    case 8:
      let params = SetSend.Params(
        strip: "deck-b",
        route: route,
        gainDB: gain,
        stripChannel: 1,
        routeChannel: isOn ? 1 : 2,
      )
      _ = try await control.call(SetSend.self, params)
    default:
      let mode = AlignmentMode.allCases.randomElement(using: &random) ?? .free
      let params = SetAlignment.Params(
        route: route,
        mode: mode,
        delayMilliseconds: mode == .manual ? abs(position) * 20 : nil,
      )
      _ = try await control.call(SetAlignment.self, params)
    }
  }

  @Test(.jackServer(frames: 256))
  func `500 changes by hand are the state of a fresh host, and the comments stay`() async throws {
    let scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "mixed.yaml")
    let server = try testServer().name
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let control = try await host.control()
    var random = TestSeed.random()
    for _ in 0..<500 { try await Self.change(control, &random) }
    for (target, nodes) in [
      (MixTarget.route("main"), ["equalizer", "delay"]), (.strip("voice"), ["gate"]),
    ] {
      let params = SetInserts.Params(target: target, nodes: nodes, wet: 0.25)
      _ = try await control.call(SetInserts.self, params)
    }
    let bypass = SetBypass.Params(target: .route("main"), node: "delay", bypassed: true)
    _ = try await control.call(SetBypass.self, bypass)
    _ = try await control.call(SetSolo.self, SetSolo.Params(strip: "voice", solo: true))
    let before = try await host.status()

    let diff = try await Multiroute.run("save", "--diff", "--host", host.name, in: scratch)
    #expect(diff.standardOutput.hasPrefix("--- \(graph)\n+++ \(graph)\n@@ "), "\(diff)")
    #expect(try String(contentsOfFile: graph, encoding: .utf8) == Self.graph)
    let saved = try await Multiroute.run("save", "--host", host.name, in: scratch)
    #expect(saved.end == .code(0), "\(saved)")
    #expect(saved.standardError == "left out: the solo of strip 'voice'\n")
    let text = try String(contentsOfFile: graph, encoding: .utf8)
    let comments = Self.graph.matches(of: /#.*/).map { String($0.output) }
    #expect(comments.filter { !text.contains($0) } == [], "\(text)")
    let again = try await Multiroute.run("save", "--host", host.name, in: scratch)
    #expect(again.standardOutput == "\(graph): nothing to save\n")
    await control.close()
    _ = try await host.stop()

    let fresh = try await HostProcess.running(graph: graph, server: server, in: scratch)
    #expect(Self.values(try await fresh.status()) == Self.values(before), "\(text)")
    _ = try await fresh.stop()
  }

  @Test(.jackServer())
  func `a changed file is changed as it is now, a faulty one and a folder without room are left`()
    async throws
  {
    let scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "real.yaml")
    let link = scratch.path + "/link.yaml"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: graph)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: graph)
    let host = try await HostProcess.running(
      graph: link,
      server: try testServer().name,
      in: scratch
    )
    func save(_ words: String...) async throws -> Multiroute.Output {
      try await Multiroute.run(["save"] + words + ["--host", host.name], in: scratch)
    }
    let control = try await host.control()
    _ = try await control.call(SetGain.self, .init(target: .route("main"), gainDB: -9))

    // An editor writes in place; the host has read another text.
    let edited = Self.graph.replacing("gain: -3 dB", with: "gain: -4 dB") + "# more\n"
    try edited.write(toFile: graph, atomically: false, encoding: .utf8)
    #expect(try await save().end == .code(0))
    let expected = edited.replacing("gain: -6dB", with: "gain: -9dB")
    #expect(try String(contentsOfFile: graph, encoding: .utf8) == expected)
    let files = FileManager.default
    #expect(try files.destinationOfSymbolicLink(atPath: link) == graph)
    #expect(try files.attributesOfItem(atPath: graph)[.posixPermissions] as? Int == 0o640)

    // The value of the start is saved too, once the file has another one.
    _ = try await control.call(SetGain.self, .init(target: .route("main"), gainDB: -6))
    #expect(try await save().end == .code(0))
    #expect(try String(contentsOfFile: graph, encoding: .utf8) == edited)

    _ = try await control.call(SetGain.self, .init(target: .route("main"), gainDB: -9))
    let refused = try await save("/proc/mixed.yaml")
    #expect(refused.end == .code(73) && refused.standardError.contains("nothing is written"))
    let elsewhere = scratch.path + "/other.yaml"
    #expect(try await save(elsewhere).end == .code(0))
    #expect(try String(contentsOfFile: elsewhere, encoding: .utf8) == expected)
    #expect(try String(contentsOfFile: graph, encoding: .utf8) == edited)

    let faulty = edited.replacing("lineOut", with: "lineout")
    try faulty.write(toFile: graph, atomically: false, encoding: .utf8)
    let output = try await save()
    #expect(output.end == .code(65) && output.standardError.contains("'lineout' is not known"))
    #expect(try String(contentsOfFile: graph, encoding: .utf8) == faulty)
    await control.close()
    _ = try await host.stop()
  }

  @Test(.jackServer(channels: 4))
  func `a graph of the package is saved as the user's own, and its files are found from there`()
    async throws
  {
    let scratch = try Scratch()
    let files = FileManager.default
    let shared = scratch.path + "/usr/share/multiroute"
    let program = scratch.path + "/usr/bin/multiroute"
    for folder in [shared, scratch.path + "/usr/bin"] {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try files.copyItem(atPath: Repository.path("graphs"), toPath: shared + "/graphs")
    try files.copyItem(atPath: Repository.path("graphs/policies"), toPath: shared + "/policies")
    // The program finds its graphs from where its own file is, so a symbolic link would not do.
    do { try files.linkItem(atPath: Multiroute.path(), toPath: program) } catch {
      try files.copyItem(atPath: Multiroute.path(), toPath: program)
    }
    let graph = shared + "/graphs/dj-split.yaml"
    let own = scratch.path + "/config/multiroute/graph.yaml"
    let host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      in: scratch
    )
    func save(config: String = "config") async throws -> Multiroute.Output {
      let child = try Child(
        program,
        ["save", "--host", host.name],
        environment: scratch.hostEnvironment.merging([
          "XDG_CONFIG_HOME": config.hasPrefix("/") ? config : "\(scratch.path)/\(config)"
        ]) { $1 },
        in: scratch,
      )
      return Multiroute.Output(
        end: try await child.waitForEnd(),
        standardOutput: child.standardOutput,
        standardError: child.standardError,
      )
    }
    let control = try await host.control()
    _ = try await control.call(SetGain.self, .init(target: .strip("deck-a"), gainDB: -6))

    let nowhere = try await save(config: "/proc")
    #expect(nowhere.end == .code(73), "\(nowhere)")
    let fault = "error: /proc/multiroute/graph.yaml: nothing is written: "
    #expect(nowhere.standardError.hasPrefix(fault), "\(nowhere)")

    let saved = try await save()
    #expect(saved.end == .code(0), "\(saved)")
    let news = "\(graph) came with the package: 'multiroute run' plays \(own) from now on\n"
    #expect(saved.standardOutput.hasSuffix(news), "\(saved)")
    let shipped = try Repository.text("graphs/dj-split.yaml")
    #expect(try String(contentsOfFile: graph, encoding: .utf8) == shipped)
    let first = try String(contentsOfFile: own, encoding: .utf8)
    #expect(first.contains("/usr/share/multiroute/graphs/media/deck-a.flac"), "\(first)")
    #expect(first.contains("gain: -6 dB"), "\(first)")
    let checked = try await Multiroute.run("check", own, in: scratch)
    #expect(checked.end == .code(0), "\(checked)")

    // A later save goes to the same file, in which the user may have written.
    try (first + "# mine\n").write(toFile: own, atomically: false, encoding: .utf8)
    _ = try await control.call(SetGain.self, .init(target: .strip("deck-a"), gainDB: -9))
    #expect(try await save().end == .code(0))
    let second = first.replacing("gain: -6 dB", with: "gain: -9 dB") + "# mine\n"
    #expect(try String(contentsOfFile: own, encoding: .utf8) == second)
    #expect(try await save().standardOutput == "\(own): nothing to save\n")

    try Self.graph.write(toFile: own, atomically: false, encoding: .utf8)
    let refused = try await save()
    #expect(refused.end == .code(73), "\(refused)")
    #expect(refused.standardError.contains("\(own) is another graph than \(graph)"), "\(refused)")
    #expect(try String(contentsOfFile: own, encoding: .utf8) == Self.graph)
    await control.close()
    _ = try await host.stop()
  }
}
