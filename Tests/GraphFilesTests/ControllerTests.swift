// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import GraphFiles

@Suite("Controllers")
struct ControllerTests {
  /// A sound graph whose only controller has these lines.
  private static func graph(_ lines: String) -> String {
    Marked.soundGraph + "controls: {midi: {box: {" + lines + "}}}\n"
  }

  private static func fault(_ lines: String, _ message: String) -> Marked {
    Marked(graph(lines), message)
  }

  private static func mapping(_ marked: String, _ message: String) -> Marked {
    fault("device: X, map: [" + marked + "]", message)
  }

  private static func controller(_ lines: String) throws -> GraphFile.Controller {
    let graph = try GraphFile.parse(graph(lines), path: "g.yaml", files: .everythingExists)
    return try #require(graph.controllers.first)
  }

  @Test(
    "the text of each kind of control is read and written",
    arguments: [
      ("cc 1/7", MIDIControl.Kind.controlChange(7), 127),
      ("cc14 16/31", .controlChangePair(31), 16_383),
      ("nrpn 1/1000", .nonRegistered(1_000), 16_383), ("rpn 2/0", .registered(0), 16_383),
      ("note 10/127", .note(127), 127), ("bend 3", .pitchBend, 16_383),
      ("program 1/3", .program(3), 127),
      ("relative 1/20 twos-complement", .relative(20, .twosComplement), 127),
      ("relative 1/20 binary-offset", .relative(20, .binaryOffset), 127),
      ("relative 1/20 sign-magnitude", .relative(20, .signMagnitude), 127),
    ]
  )
  func controls(text: String, kind: MIDIControl.Kind, highest: Int) throws {
    let control = try MIDIControl(text)
    #expect(control.kind == kind)
    #expect(control.description == text)
    #expect(control.highestValue == highest)
  }

  @Test(
    "a text that is no control is refused",
    arguments: [
      "", "cc", "cc 7", "cc 0/7", "cc 17/7", "cc 1/128", "cc14 1/32", "nrpn 1/16383", "note 1/+1",
      "bend 1/2", "bend 1/", "cc 1//7", "cc /1/7", "cc 1/7/", "relative 1/20", "relative 1/20 x",
      "cc 1/7 x", "pitch 1/2", "cc 1/2/3",
    ]
  )
  func badControls(text: String) {
    #expect(throws: MIDIControl.Fault.self) { try MIDIControl(text) }
  }

  @Test("a controller has its mappings with their defaults")
  func defaults() throws {
    let controller = try Self.controller(
      "device: DDJ, map: [{control: cc 1/7, parameter: /strip/beep/gain, from: -60 dB, to: 0}, "
        + "{control: note 1/11, parameter: /strip/beep/cue}, {control: program 1/3, scene: intro}]"
    )
    #expect(controller.name == "box")
    #expect(
      controller.mappings.map(\.control.description) == ["cc 1/7", "note 1/11", "program 1/3"]
    )
    let fader = controller.mappings[0]
    #expect(fader.takeover == .pickup && fader.from == -60 && fader.to == 0)
    #expect(fader.feedback == nil)
    let button = controller.mappings[1]
    #expect(button.mode == .toggle && button.feedback == .init(button.control))
    #expect(controller.mappings[2].target == .scene("intro"))
  }

  @Test("feedback goes to the control itself, to another, or with values of its own")
  func feedback() throws {
    let controller = try Self.controller(
      "device: DDJ, map: [{control: cc 1/7, parameter: /strip/beep/gain, feedback: true}, "
        + "{control: cc 1/8, parameter: /strip/beep/gain, feedback: cc 1/26}, "
        + "{control: note 1/9, parameter: /strip/beep/cue, feedback: {off: 5, on: 7}}, "
        + "{control: note 1/10, parameter: /strip/beep/cue, feedback: false}]"
    )
    let shown = controller.mappings.map(\.feedback)
    #expect(shown[0]?.control.description == "cc 1/7")
    #expect(shown[0]?.off == 0 && shown[0]?.on == 127)
    #expect(shown[1]?.control.description == "cc 1/26")
    #expect(shown[2]?.off == 5 && shown[2]?.on == 7)
    #expect(shown[3] == nil)
  }

  @Test("a control that was learned is written with all that its own kind does not have")
  func learned() throws {
    let (fader, button) = (try MIDIControl("cc 1/7"), try MIDIControl("note 1/9"))
    var shown = ControlMapping(fader, .parameter("/strip/beep/gain"))
    shown.feedback = .init(fader)
    var touched = shown
    touched.touch = button
    let mappings: [(ControlMapping, String)] = [
      (.init(fader, .parameter("/strip/beep/gain")), "parameter: /strip/beep/gain}"),
      (.init(fader, .scene("intro")), "scene: intro}"),
      (.init(button, .parameter("/strip/beep/cue")), "parameter: /strip/beep/cue}"),
      (shown, "parameter: /strip/beep/gain, feedback: true}"),
      (touched, "parameter: /strip/beep/gain, touch: note 1/9, feedback: true}"),
    ]
    for (mapping, end) in mappings {
      #expect(mapping.line == "- {control: \(mapping.control), \(end)")
      let read = try Self.controller("device: X, map: [\(mapping.line.dropFirst(2))]")
      #expect(read.mappings == [mapping])
    }
  }

  @Test(
    "a number of a control is one that a file can have",
    arguments: [
      ("-60 dB", -60.0), ("0.5", 0.5), ("-inf dB", -.infinity), ("5 ms", nil), ("", nil),
      ("nan", nil), ("inf", nil), (String(repeating: "9", count: 400), nil),
    ]
  )
  func numbers(text: String, value: Double?) {
    let lines = "device: X, map: [{control: cc 1/7, parameter: /strip/beep/gain, from: '\(text)'}]"
    let from = try? Self.controller(lines).mappings.first?.from
    #expect(from == value)
  }

  @Test("the pace of messages to a device, or none at all")
  func pace() throws {
    let map = "map: [{control: note 1/9, parameter: /strip/beep/cue}]"
    let slow = try Self.controller("device: X, feedback: {perSecond: 50}, \(map)")
    #expect(slow.messagesPerSecond == 50 && slow.mappings[0].feedback != nil)
    let dark = try Self.controller("device: X, feedback: false, \(map)")
    #expect(dark.messagesPerSecond == nil && dark.mappings[0].feedback == nil)
  }

  @Test("a device is known by its first words or by a pattern")
  func devices() throws {
    let named = try Self.controller("device: DDJ-400").device
    #expect(
      named.matches("DDJ-400") && named.matches("DDJ-400 MIDI 1") && !named.matches("DDJ-4000")
    )
    #expect(named.matches("DDJ-400:0") && !named.matches("DDJ-40") && !named.matches("My DDJ-400"))
    for device in ["DDJ-400", "", " x"] {
      #expect(!GraphFile.MIDIDevice.name("").matches(device))
    }
    let pattern = try Self.controller("device: '/DDJ-[24]00.*/'").device
    #expect(pattern.matches("DDJ-200 MIDI 1") && !pattern.matches("My DDJ-200"))
  }

  @Test(
    "faults",
    arguments: [
      fault(
        "device: X, ‸mape: []",
        "controller: unknown key 'mape' (did you mean 'map'?); keys: device, mapping, names, map, feedback"
      ),
      fault(
        "device: X, feedback: {perSecond: ‸0}",
        "perSecond: 0 is out of range; allowed: 1 … 1000"
      ),
      fault("device: ‸/x", "device: the pattern '/x' has no closing slash"),
      fault("device: ‸/", "device: the pattern '/' has no closing slash"),
      mapping(
        "{control: ‸cc 1, parameter: /strip/beep/gain}",
        "control: 'cc 1' is not a control; write 'cc' with a channel and a number 0 … 127, as in cc 1/7",
      ),
      mapping(
        "‸{control: cc 1/7}",
        "control: it has neither 'parameter' nor 'scene'; write one of them",
      ),
      mapping(
        "{control: cc 1/7, parameter: ‸gain}",
        "parameter: 'gain' is not a path; write the path of a parameter, such as /strip/NAME/gain",
      ),
      mapping(
        "{control: cc 1/7, parameter: ‸/strip}",
        "parameter: '/strip' is not a path; write the path of a parameter, such as /strip/NAME/gain",
      ),
      mapping(
        "{control: cc 1/7, parameter: ‸/strip//gain}",
        "parameter: '/strip//gain' is not a path; write the path of a parameter, such as "
          + "/strip/NAME/gain",
      ),
      mapping(
        "{control: cc 1/7, parameter: ‸strip/beep/gain}",
        "parameter: 'strip/beep/gain' is not a path; write the path of a parameter, such as "
          + "/strip/NAME/gain",
      ),
      mapping(
        "{control: note 1/7, parameter: /strip/beep/cue, steps: ‸5}",
        "steps: does not belong to 'note 1/7' here; remove this key",
      ),
      mapping(
        "{control: program 1/7, parameter: ‸/strip/beep/cue}",
        "parameter: a program change recalls a scene; write 'scene: NAME'",
      ),
      mapping(
        "{control: bend 1, scene: ‸intro}",
        "scene: 'bend 1' is no button; use note, cc or program",
      ),
      mapping(
        "{control: cc 1/7, parameter: /strip/beep/gain, takeover: ‸pick}",
        "takeover: 'pick' is not known (did you mean 'pickup'?); allowed: jump, pickup, scaled",
      ),
      mapping(
        "{control: cc 1/7, parameter: /strip/beep/gain, from: ‸low}",
        "from: 'low' is not a number, such as -1, or a gain, such as -60 dB",
      ),
    ]
  )
  func faults(_ marked: Marked) {
    #expect(marked.found == marked.expected)
  }

  @Test("a controller without a device is a fault, with a mapping file it is none")
  func missingDevice() throws {
    let marked = Marked(
      Marked.soundGraph + "controls: {midi: {‸box: {}}}\n",
      "controller: the key 'device' is missing; write 'device: DDJ-400'",
    )
    #expect(marked.found == marked.expected)
  }

  @Test("names in braces of a mapping file are strips and routes of the graph")
  func names() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let controllers = folder.appending(path: "controllers")
    try FileManager.default.createDirectory(at: controllers, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try """
    multiroute: 1
    device: Box
    map:
      - {control: cc 1/1, parameter: "/strip/{one}/gain"}
      - {control: cc 1/2, parameter: "/strip/{two}/gain"}
    feedback: {perSecond: 40}

    """.write(to: controllers.appending(path: "box.yaml"), atomically: true, encoding: .utf8)
    let path = folder.appending(path: "g.yaml").path
    let graph = try GraphFile.parse(
      Self.graph("mapping: box.yaml, names: {one: beep}"),
      path: path,
      files: .everythingExists,
    )
    let controller = try #require(graph.controllers.first)
    #expect(controller.device.matches("Box"))
    #expect(controller.messagesPerSecond == 40)
    #expect(
      controller.mappings.map(\.target)
        == [.parameter("/strip/beep/gain"), .parameter("/strip/two/gain")]
    )
    #expect {
      try GraphFile.parse(
        Self.graph("mapping: box.yaml, names: {tow: beep}"),
        path: path,
        files: .everythingExists,
      )
    } throws: { error in
      "\(error)".contains(
        "the mapping file has no name 'tow' (did you mean 'two'?); it has: one, two"
      )
    }
  }

  @Test(
    "a mapping file without a device needs one in the graph; a file that cannot be read is told alone"
  )
  func deviceOfFile() throws {
    let folder = try PolicyFolder([
      "box.yaml": "multiroute: 1\nmap: [{control: cc 1/1, parameter: /strip/beep/gain}]\n",
      "bad.yaml": "multiroute: 1\nmap: 5\n",
    ])
    func faults(_ lines: String) -> [String] {
      do {
        let path = "\(folder.path)/g.yaml"
        _ = try GraphFile.parse(Self.graph(lines), path: path, files: .everythingExists)
        return []
      } catch {
        return error.diagnostics.map(\.message)
      }
    }
    #expect(
      faults("mapping: box.yaml")
        == ["controller: the key 'device' is missing; write 'device: DDJ-400'"]
    )
    #expect(faults("mapping: box.yaml, device: Box").isEmpty)
    #expect(faults("mapping: none.yaml, names: {one: beep}").count == 1)
    #expect(MappingFile.read("\(folder.path)/box.yaml")?.mappings.count == 1)
    for name in ["bad.yaml", "none.yaml"] {
      #expect(MappingFile.read("\(folder.path)/\(name)") == nil)
    }
  }

  @Test("a fault in a mapping file names its line there")
  func fileFault() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try "multiroute: 1\ndevice: Box\nmap: 5\n"
      .write(to: folder.appending(path: "box.yaml"), atomically: true, encoding: .utf8)
    #expect {
      try GraphFile.parse(
        Self.graph("mapping: box.yaml"),
        path: folder.appending(path: "g.yaml").path,
        files: .everythingExists,
      )
    } throws: { error in
      "\(error)".contains(
        "mapping: box.yaml:3:6: error: map: a single value where a list of controls is needed"
      )
    }
  }
}
