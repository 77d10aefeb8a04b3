// SPDX-License-Identifier: MIT

import SystemSupport
import TestSupport
import Testing

@testable import JACK

/// The marks of described clients and ports.
struct DescriptionOwnerTests {
  private static let name = MetadataKey.prettyName.rawValue
  private static let order = MetadataKey.order.rawValue
  private static let kind = "urn:multiroute:node:kind"

  /// A machine with a program and a server; each may be another process with the same id by now.
  private func machine(program: Int? = 100, server: Int? = 200, state: Character = "S") throws
    -> Machine
  {
    var files: [String: String] = [:]
    for (pid, ticks) in [(7, program), (8, server)] {
      guard let ticks else { continue }
      var fields = [String](repeating: "0", count: 50)
      fields[0] = String(state)
      fields[19] = "\(ticks)"
      files["/proc/\(pid)/stat"] = "\(pid) (x) \(fields.joined(separator: " "))\n"
    }
    return try MachineTree(files).machine()
  }

  private func owner(_ values: [String: String] = [:]) throws -> DescriptionOwner {
    let machine = try machine()
    return DescriptionOwner(
      writer: ProcessIdentity(pid: 7, on: machine),
      server: ProcessIdentity(pid: 8, on: machine),
      values: values,
    )
  }

  @Test func `a description is left when its program or its server has ended`() throws {
    let owner = try owner()
    #expect(owner.writer != nil && owner.server != nil)
    #expect(try !owner.isLeft(on: machine()))
    #expect(try owner.isLeft(on: machine(program: nil)))
    #expect(try owner.isLeft(on: machine(server: nil)))
    #expect(try owner.isLeft(on: machine(state: "Z")))
    // Other processes have got the ids.
    #expect(try owner.isLeft(on: machine(program: 101)))
    #expect(try owner.isLeft(on: machine(server: 201)))
    // A process whose end has been noticed, though /proc still lists it.
    #expect(try owner.isLeft(afterEndOf: 7, on: machine()))
    #expect(try !owner.isLeft(afterEndOf: 9, on: machine()))
  }

  @Test func `a description without a known server lives as long as its program`() throws {
    var owner = try owner()
    owner.server = nil
    #expect(try !owner.isLeft(on: machine(server: nil)))
    #expect(try owner.isLeft(on: machine(program: nil)))
  }

  @Test func `a process of another container is not taken for ended`() throws {
    let text = #"{"writer":{"pid":7,"startTicks":100,"namespace":"pid:[1]"},"values":{}}"#
    let owner = try #require(DescriptionOwner(text))
    #expect(try !owner.isLeft(on: machine(program: nil)))
  }

  @Test func `a mark is read as it was written, and other texts are none`() throws {
    let owner = try owner([Self.name: "Deck A \"left\" ♫"])
    #expect(DescriptionOwner(owner.text) == owner)
    #expect(DescriptionOwner("Deck A left") == nil)
    #expect(DescriptionOwner(nil) == nil)
  }

  @Test func `values that others have changed since stay, and the mark goes last`() throws {
    let owner = try owner([Self.name: "Deck A left", Self.order: "1"])
    let mark = DescriptionOwner.key.rawValue
    let present = [
      Self.name: "Deck A left", Self.order: "7", "theirs": "x", Self.kind: "effect",
      mark: owner.text,
    ]
    let leftovers = owner.leftovers(of: present)
    #expect(Set(leftovers.map(\.key)) == [Self.name, Self.kind, mark])
    #expect(leftovers.last?.key == mark)
    #expect(leftovers.last?.text == owner.text)
  }
}
