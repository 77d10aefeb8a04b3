// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import Testing

@testable import Host

/// The mapping file that is proposed for a device which the graph does not have.
struct MappingProposalTests {
  private static func file(_ device: GraphFile.MIDIDevice?, _ control: MIDIControl) -> MappingFile {
    var file = MappingFile()
    file.device = device
    file.mappings = [ControlMapping(control, .parameter("/strip/{one}/gain"))]
    return file
  }

  private static let fader = MIDIControl(.controlChange(7), channel: 0)

  private static func proposals() throws -> MappingProposals {
    let pattern = GraphFile.MIDIDevice.pattern(try PortPattern(".*DDJ-400.*"))
    return MappingProposals([
      ("ddj-400.yaml", file(pattern, MIDIControl(.note(84), channel: 0))),
      ("generic.yaml", file(nil, fader)),
      ("inpulse.yaml", file(.name("DJControl Inpulse 200"), fader)),
    ])
  }

  @Test func `the file for the device comes first, then one for its family`() throws {
    let proposals = try Self.proposals()
    let own = proposals.best(for: "DDJ-400 MIDI 1", lastControl: Self.fader)
    #expect(own == MappingProposals.Proposal(file: "ddj-400.yaml", fit: .device))
    let family = proposals.best(for: "Pioneer DDJ-FLX4 MIDI 1", lastControl: nil)
    #expect(family == MappingProposals.Proposal(file: "ddj-400.yaml", fit: .similar))
    let other = proposals.best(for: "DJControl Inpulse 300", lastControl: nil)
    #expect(other == MappingProposals.Proposal(file: "inpulse.yaml", fit: .similar))
  }

  @Test func `a file for many devices is proposed only if it has the control that was moved`()
    throws
  {
    let proposals = try Self.proposals()
    #expect(proposals.best(for: "Fader Box", lastControl: nil) == nil)
    let other = MIDIControl(.controlChange(8), channel: 0)
    #expect(proposals.best(for: "Fader Box", lastControl: other) == nil)
    let found = proposals.best(for: "Fader Box", lastControl: Self.fader)
    #expect(found == MappingProposals.Proposal(file: "generic.yaml", fit: .controls))
  }

  @Test func `the shipped files are read, and a folder that is not there has none`() {
    let folder = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let shipped = MappingProposals(besideGraph: "/\(folder)/graphs/any.yaml")
    #expect(shipped.best(for: "nanoKONTROL2 MIDI 1", lastControl: nil)?.fit == .device)
    #expect(shipped.best(for: "Fader Box", lastControl: Self.fader)?.file == "generic.yaml")
    let none = MappingProposals(besideGraph: "/nowhere/any.yaml")
    #expect(none.best(for: "nanoKONTROL2", lastControl: Self.fader) == nil)
  }
}
