// SPDX-License-Identifier: MIT

import Sessions

@testable import GraphFiles

/// One change of one field of a type, in a graph that has everything.
struct FieldChange: Sendable {
  /// The field, by its name in Swift.
  let field: String
  /// Changes the field alone.
  let change: @Sendable (inout GraphFile) -> Void

  init(_ field: String, _ change: @escaping @Sendable (inout GraphFile) -> Void) {
    self.field = field
    self.change = change
  }

  /// A change that gives a field another value.
  static func set<Value: Sendable>(
    _ field: String,
    _ path: any WritableKeyPath<GraphFile, Value> & Sendable,
    _ value: Value,
  ) -> FieldChange {
    FieldChange(field) { $0[keyPath: path] = value }
  }
}

/// A type of graph files with a value of it, and a change of each of its fields.
struct FieldTable: Sendable {
  /// The name of the type.
  let type: String
  /// A value of the type in ``FieldTable/graph``.
  let value: @Sendable (GraphFile) -> Any?
  /// The fields that are no difference of their own, each with the reason in its table.
  let exempt: Set<String>
  let changes: [FieldChange]

  init(
    _ type: String,
    _ value: @escaping @Sendable (GraphFile) -> Any?,
    exempt: Set<String> = [],
    _ changes: [FieldChange],
  ) {
    self.type = type
    self.value = value
    self.exempt = exempt
    self.changes = changes
  }

  /// A graph in which each optional part is there.
  static let text = """
    multiroute: 1
    name: all
    session: {category: multiRoute, options: [mixWithOthers], preferred: {ioBufferFrames: 64}}
    server: {driver: alsa, device: "hw:0", arguments: ["-S"]}
    tower: {classes: {phone: [sip]}}
    permissions: {granted: [rec]}
    adopt:
      - {client: mpv, session: {preset: player}, routes: [main]}
      - {executable: app, session: {category: playback}, strips: {deck: {ports: [out_0, out_1], routes: [main]}}}
      - {client: "/x.*/", leave: true}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2], limiter: {}, inserts: [eq]}
      mic: {type: builtInMic, ports: [system:capture_1]}
      card: {type: usbAudio, direction: input, device: hw:1}
      net: {type: virtual, direction: input, njbridge: {address: 10.0.0.1, port: 4000}}
      far: {type: virtual, direction: input, jacktrip: {address: 10.0.0.2}}
    sources:
      song: {file: song.flac, session: {preset: player, music: background}, inserts: [delay]}
      beep: {tone: {wave: sine}}
      voice: {input: mic}
      other: {ports: [app:out]}
      synth: {node: synth}
    mix:
      - {from: song, to: main, channels: [[1, 1], [2, 2]]}
      - {from: beep, to: main}
    patches:
      - {connect: "keys:out", to: "recorder:in", keep: always, exclusive: both}
      - {deny: "/.*/", to: system:playback_4}
    recorders:
      set: {from: main, file: set.wav, splitAfter: 1 h}
    controls:
      crossfader: {a: song, b: beep}
      cue: {to: main, sources: [song]}
      midi: {box: {device: Box, map: [{control: note 1/1, parameter: /strip/song/mute}, {control: cc 1/7, parameter: /strip/song/gain}]}}
    surfaces: {osc: {}, oscquery: {}, mackie: [{device: X-Touch}], xair: {}, web: {}}
    """

  static func graph() throws -> GraphFile {
    try GraphFile.parse(text, path: "show/all.yaml", files: .everythingExists)
  }
}
