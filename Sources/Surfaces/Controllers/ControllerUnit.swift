// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

/// A controller of the graph, plugged in or not, with its mappings.
///
/// Pure value but for the port: [any-thread].
struct ControllerUnit {
  private(set) var controller: GraphFile.Controller
  var controls: [MappedControl]
  /// The port; nil while the controller is not plugged in.
  private(set) var port: (any ControllerPort)?
  private(set) var lastMove: ControllerMove?
  /// Changes at each plug, so that the end of an old port does not unplug the new one.
  private(set) var plugCount = 0

  private var parser = ControllerParser()
  private var armed: DirectControl?
  private var pace: MessagePace
  /// The control that is shown first: the one that had to wait in the round before.
  private var nextShown = 0

  init(_ controller: GraphFile.Controller) {
    self.controller = controller.spelled
    controls = self.controller.mappings.map(MappedControl.init)
    pace = MessagePace(perSecond: controller.messagesPerSecond)
  }

  /// Begins with a port, of which nothing is known.
  mutating func plug(_ port: any ControllerPort) {
    self.port = port
    plugCount += 1
    parser = ControllerParser()
    (armed, lastMove) = (nil, nil)
    for index in controls.indices { controls[index].plug() }
  }

  mutating func unplug() { port = nil }

  /// Goes over to another version's mappings: controls of both versions stay as they are, and what was learned stays.
  mutating func take(_ controller: GraphFile.Controller) {
    let controller = controller.spelled
    guard controller != self.controller else { return }
    let learned = learned
    var known = controls
    self.controller = controller
    controls = controller.mappings.map { mapping in
      guard let place = known.firstIndex(where: { $0.mapping == mapping }) else {
        return MappedControl(mapping)
      }
      return known.remove(at: place)
    }
    for mapping in learned { learn(mapping) }
    pace = MessagePace(perSecond: controller.messagesPerSecond)
    nextShown = 0
  }

  /// The moves in a message; the plainest of them is kept as the last one.
  mutating func moves(in bytes: [UInt8]) -> [ControllerMove] {
    let moves = parser.moves(in: bytes)
    if let first = moves.first { lastMove = first }
    return moves
  }

  /// The paths of the parameters that it needs now: those of meters only while it is plugged in.
  var paths: Set<String> {
    Set(controls.filter { port != nil || !$0.showsMeter }.map(\.path))
  }

  /// Whether it shows meters.
  var hasMeters: Bool { controls.contains(where: \.showsMeter) }

  /// The mappings that the graph does not have.
  var learned: [ControlMapping] { controls.dropFirst(controller.mappings.count).map(\.mapping) }

  /// Adds a learned mapping; a parameter has one of them, and none that the graph has as well.
  mutating func learn(_ mapping: ControlMapping) {
    let control = MappedControl(mapping)
    forget(control.path)
    let isInGraph = controller.mappings.contains {
      $0.control == mapping.control && $0.target == mapping.target
    }
    if !isInGraph { controls.append(control) }
  }

  /// Goes on with parameters under other paths.
  mutating func rename(_ steps: [ParameterRename]) {
    controller.mappings = controller.mappings.map { $0.renamed(by: steps) }
    for index in controls.indices { controls[index].rename(steps) }
  }

  /// Removes the learned mappings of a parameter.
  mutating func forget(_ path: String) {
    let count = controller.mappings.count
    controls = controls.prefix(count) + controls.dropFirst(count).filter { $0.path != path }
  }

  /// Sends what is not shown yet, as far as the controller's pace allows; the rest waits for the next round.
  mutating func show(_ values: [String: ParameterValue], at milliseconds: Double) {
    guard let port else { return }
    let first = nextShown
    for offset in controls.indices {
      let index = (first + offset) % controls.count
      guard pace.allows(at: milliseconds) else {
        nextShown = index
        return
      }
      let messages = controls[index].messages(showing: values[controls[index].path])
      pace.sent(messages.count, at: milliseconds)
      for message in messages { port.send(message) }
    }
  }

  /// Lets the audio thread move the crossfader where that is safe.
  mutating func arm(_ values: [String: ParameterValue], at milliseconds: Double) {
    guard let port else { return }
    var direct: DirectControl?
    for control in controls where direct == nil {
      direct = control.directControl(present: values[control.path], at: milliseconds)
    }
    guard direct != armed else { return }
    armed = direct
    // An order that is found later changes nothing: the audio thread finds it, too.
    if let pair = direct, case .controlChangePair(let number) = pair.kind {
      direct?.isLowerFirst = parser.isLowerFirst(pair: number, channel: pair.channel)
    }
    port.arm(directControl: direct)
  }
}

extension GraphFile.Controller {
  /// The same controller with the paths of its mappings as the tree writes them.
  fileprivate var spelled: GraphFile.Controller {
    var controller = self
    controller.mappings = mappings.map(\.spelled)
    return controller
  }
}
