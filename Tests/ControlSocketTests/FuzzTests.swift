// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FuzzTests {
  /// Lines that are good, for the mutations to start from.
  private static let seeds: [[UInt8]] = [
    #"{"jsonrpc":"2.0","id":1,"method":"setSolo","params":{"strip":"a","solo":true}}"#,
    #"{"jsonrpc":"2.0","id":"x","method":"subscribe","params":{"topics":["events","meters"]}}"#,
    #"{"jsonrpc":"2.0","id":2,"method":"unsubscribe","params":{"topics":["events","meters"]}}"#,
    #"{"jsonrpc":"2.0","id":3,"method":"hello","params":{"client":"fuzz","versions":[1,2]}}"#,
    #"{"jsonrpc":"2.0","method":"setGain","params":{"strip":"a","gainDB":"-inf"}}"#,
    #"{"jsonrpc":"2.0","id":4,"method":"fade","params":{"route":"b","gainDB":-6e1}}"#,
    #"[{"jsonrpc":"2.0","id":5,"method":"stop"},{"jsonrpc":"2.0","id":6,"method":"status"}]"#,
  ].map { Array($0.utf8) }

  /// Pieces that parsers stumble over.
  private static let pieces: [[UInt8]] =
    [
      "{", "}", "[[[[", "]", "\"", "\\", "\\u0000", "\\ud800", "1e999", "-", "null", "\n", "\r",
      ",",
      ":", "99999999999999999999", "0.1e-400", "\u{FEFF}", "\u{0}",
    ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]]

  static func mutate(_ generator: inout SeededRandom) -> [UInt8] {
    var line = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      guard !line.isEmpty else { break }
      let place = Int.random(in: 0..<line.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: line[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: line.remove(at: place)
      case 2: line.removeSubrange(place...)
      case 3:
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        line.insert(contentsOf: piece, at: place)
      case 4: line.insert(contentsOf: line[place...].prefix(40), at: place)
      default: line.swapAt(place, Int.random(in: 0..<line.count, using: &generator))
      }
    }
    return line
  }

  @Test func aHundredThousandMutatedLinesHurtNobody() async throws {
    let host = try await TestHost.start { $0.messagesPerSecond = 1e6 }
    let healthy = try await host.client()
    let isDone = Mutex(false)
    let asking = Task {
      var answers = 0
      while !isDone.withLock({ $0 }) {
        _ = try await healthy.call(SetSolo.self, SetSolo.Params(strip: "healthy", solo: true))
        answers += 1
      }
      return answers
    }
    for attacker in 0..<4 {
      var generator = TestSeed.random(number: attacker)
      let client = try host.rawClient()
      let reading = Task { await client.lines.reduce(into: 0) { count, _ in count += 1 } }
      for _ in 0..<250 {
        var chunk: [UInt8] = []
        for _ in 0..<100 { chunk += Self.mutate(&generator) + [UInt8(ascii: "\n")] }
        #expect(await client.send(bytes: chunk) == chunk.count, "attacker \(attacker) was cut off")
      }
      // A good line at the end is answered: the earlier lines did not break the connection.
      await client.send("\n" + soloLine("end \(attacker)", id: 1))
      await client.send(
        #"{"jsonrpc":"2.0","id":2,"method":"unsubscribe","params":{"topics":["events","meters"]}}"#
      )
      await client.closeOutput()
      #expect(await reading.value > 20_000)
      #expect(host.record.strips.contains("end \(attacker)"))
    }
    isDone.withLock { $0 = true }
    #expect(try await asking.value > 100)
    await host.server.close()
  }
}
