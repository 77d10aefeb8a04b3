// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Sessions with costly patterns, which must not keep the host from cutting a capture (PRM-1).
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PatternAttackTests {
  /// The requests of one round: 64 patterns that are too much for one connection, and a few that are not.
  private static let requests: [OpenSession.Params] = [16, 16, 16, 16, 4].enumerated()
    .map { session, count in
      var params = OpenSession.Params(app: "costly")
      params.ports = (0..<count).map { "/((x{1,9}){9}){12}\(session)y\($0).*/" }
      return params
    }

  /// Opens and closes sessions until it is cancelled.
  ///
  /// - Returns: The number of requests that were answered, with a session or a refusal.
  private static func attack(_ client: ControlClient) async throws -> Int {
    var answers = 0
    while !Task.isCancelled {
      for params in requests {
        do throws(ControlClientError) {
          let opened = try await client.call(OpenSession.self, params)
          _ = try await client.call(CloseSession.self, .init(session: opened.session))
        } catch {
          guard case .refused = error.code else {
            if Task.isCancelled { return answers }
            throw error
          }
        }
        answers += 1
      }
    }
    return answers
  }

  /// How many frames each of some programs hears of the microphone before it is cut from it.
  private static func heardFrames(_ microphone: Microphone, _ name: String) async throws -> [Int] {
    var heard: [Int] = []
    for number in 1...10 {
      let recorder = try Recorder(
        from: [Microphone.port],
        capacityFrames: 1,
        server: microphone.host.server,
        name: "\(name)-\(number)",
      )
      let gate = "\(microphone.host.name)-mic:\(name)-\(number)_1"
      try await microphone.waitUntilConnected(recorder, to: [gate])
      heard.append(recorder.latest(min(recorder.heardFrames, 32_768))[0].count { $0 != 0 })
      recorder.close()
    }
    return heard
  }

  @Test(.jackServer(frames: 256))
  func `PRM-1 64 costly patterns, again and again, let nobody hear more of a capture`()
    async throws
  {
    let microphone = try await Microphone.guarded(permissions: "{default: denied}")
    let quiet = try await Self.heardFrames(microphone, "quiet")
    let before = try #require(microphone.host.residentBytes)
    let attacker = try await microphone.host.control()
    let attack = Task { try await Self.attack(attacker) }
    let attacked = try await Self.heardFrames(microphone, "attacked")
    attack.cancel()
    let answers = try await attack.value
    await attacker.close()
    let grown = try #require(microphone.host.residentBytes) - before
    let figures = "heard \(quiet), then \(attacked) frames; \(answers) answers, \(grown) bytes more"
    print(figures)
    #expect(answers > 4, "\(figures)")
    // 35 ms more for each program; with each large request compiled on the control thread it was 50 ms and more.
    let more = attacked.reduce(0, +) - quiet.reduce(0, +)
    #expect(more < 10 * 1_680, "\(figures)")
    #expect(grown < 64 << 20, "\(figures)")
    try await microphone.end()
  }
}
