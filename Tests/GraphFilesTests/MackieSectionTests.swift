// SPDX-License-Identifier: MIT

import GraphFiles
import Testing

/// The section `surfaces.mackie`.
struct MackieSectionTests {
  @Test func `units are read in their order, with all defaults`() throws {
    let graph = try GraphFile.parse(
      """
      multiroute: 1
      routes: {main: {type: lineOut, ports: ["system:playback_1"]}}
      sources: {beep: {tone: {}}}
      surfaces:
        mackie:
        - {device: X-Touch-Ext, extender: true}
        - {device: Logic Control, model: logic, colors: true}
      """,
      path: "g.yaml",
    )
    var extender = GraphFile.MackieUnit(device: "X-Touch-Ext")
    extender.isExtender = true
    var main = GraphFile.MackieUnit(device: "Logic Control")
    main.model = .logic
    main.hasColors = true
    #expect(extender.hasColors && !GraphFile.MackieUnit(device: "Logic Control").hasColors)
    #expect(graph.surfaces.mackie == [extender, main])
  }

  static let faults: [Marked] = [
    .added(
      "surfaces: {mackie: [‸{model: logic}]}\n",
      "mackie unit: the key 'device' is missing; write 'device: X-Touch'",
    ),
    .added(
      "surfaces: {mackie: [{device: x, model: ‸hui}]}\n",
      "model: 'hui' is not known; allowed: mackie, logic",
    ),
    .added(
      "surfaces: {mackie: ‸[{device: x}, {device: y}]}\n",
      "mackie: two units have a master section; write 'extender: true' for all but one",
    ),
    .added(
      "surfaces: {mackie: ‸[{device: x, extender: true}]}\n",
      "mackie: no unit has a master section; one must be without 'extender: true'",
    ),
    .added(
      "surfaces: {mackie: ‸X-Touch}\n",
      "mackie: a single value where a list of units, for example [{device: X-Touch}], is needed",
    ),
  ]

  @Test(arguments: faults) func `faults are told with what is allowed`(fault: Marked) {
    #expect(fault.found == fault.expected)
  }
}
