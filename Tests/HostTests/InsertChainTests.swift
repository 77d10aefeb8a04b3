// SPDX-License-Identifier: MIT

import InterAppAudio
import Patchbay
import Testing

@testable import Host

/// The connections of the effects of a strip or route.
struct InsertChainTests {
  private func effect(_ name: String, inputs: Int, outputs: Int) -> Node {
    func ports(_ prefix: String, _ count: Int) -> [String] {
      (0..<count).map { "\(prefix)\($0 + 1)" }
    }
    let description = NodeDescription(
      kind: .effect,
      subtype: "test",
      manufacturer: "test",
      name: name,
      ports: NodePorts(audioInputs: ports("i", inputs), audioOutputs: ports("o", outputs)),
    )
    return Node(description: description, client: name)
  }

  private func links(_ sources: [String], _ nodes: [Node], _ returns: [String]) throws -> [String] {
    try InsertChain.links(from: sources, through: nodes, to: returns)
      .map { "\($0.source) \($0.destination)" }
  }

  @Test func `two channels go through an effect with two`() throws {
    #expect(
      try links(["s:1", "s:2"], [effect("a", inputs: 2, outputs: 2)], ["r:1", "r:2"])
        == ["s:1 a:i1", "s:2 a:i2", "a:o1 r:1", "a:o2 r:2"]
    )
  }

  @Test func `of an effect with two outputs a single channel hears the first, which is no louder`()
    throws
  {
    let stereo = effect("a", inputs: 2, outputs: 2)
    #expect(try links(["s:1"], [stereo], ["r:1"]) == ["s:1 a:i1", "s:1 a:i2", "a:o1 r:1"])
    let mono = effect("b", inputs: 1, outputs: 1)
    #expect(
      try links(["s:1"], [stereo, mono], ["r:1"])
        == ["s:1 a:i1", "s:1 a:i2", "a:o1 b:i1", "b:o1 r:1"]
    )
  }

  @Test func `all that a strip hears goes into an effect with one input`() throws {
    let mono = effect("b", inputs: 1, outputs: 1)
    #expect(
      try links(["app:1", "app-2:1"], [mono], ["r:1"]) == [
        "app:1 b:i1", "app-2:1 b:i1", "b:o1 r:1",
      ]
    )
  }

  @Test func `a link is forgotten with its port, and not taken for a user's act`() throws {
    let node = effect("a", inputs: 1, outputs: 1)
    var chain = InsertChain(place: .strip("s"), slots: [], wet: 1)
    chain.links = try InsertChain.links(from: ["s:1"], through: [node], to: ["r:1"])
    let (first, last) = (chain.links[0], chain.links[1])
    chain.lost = InsertChain.LostLinks(sinceNanoseconds: 0, pairs: [first])
    chain.forgetLinks { $0.contains("other:1") }
    #expect(chain.links == [first, last] && chain.lost?.pairs == [first])
    chain.forgetLinks { $0.contains("s:1") }
    #expect(chain.links == [last])
    #expect(chain.lost == nil)
    // Other links that a user removed stay lost.
    chain.lost = InsertChain.LostLinks(sinceNanoseconds: 0, pairs: [first, last])
    chain.forgetLinks { $0.contains("s:1") }
    #expect(chain.lost?.pairs == [last])
  }
}
