// SPDX-License-Identifier: MIT

extension House {
  /// A graph with two decks, a cue and a microphone, for requests of the control socket.
  static let requestGraph = """
    multiroute: 1
    name: house
    session: {category: multiRoute, options: [mixWithOthers]}
    permissions: {default: undetermined}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
      mic: {type: builtInMic, direction: input, ports: [system:capture_1]}
    sources:
      deck-a: {ports: ["a:left", "a:right"]}
      deck-b: {ports: ["b:left", "b:right"]}
    mix:
      - {from: deck-a, to: main}
      - {from: deck-b, to: main}
    controls:
      crossfader: {a: deck-a, b: deck-b}
      cue: {to: phones}
    """
}
