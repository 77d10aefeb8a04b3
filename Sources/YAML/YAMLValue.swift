// SPDX-License-Identifier: MIT

internal import CYAML

/// A value that is to be written in flow style: in one line, with brackets and braces.
///
/// Pure value: [any-thread].
package indirect enum YAMLValue: Equatable, Sendable {
  /// A text, which is written in quotes where it has to be, or always.
  case scalar(String, isQuoted: Bool)
  /// A list in brackets.
  case list([YAMLValue])
  /// A mapping in braces.
  case mapping([Entry])

  /// A key with its value.
  package struct Entry: Equatable, Sendable {
    /// The key.
    package let key: YAMLValue
    /// The value.
    package let value: YAMLValue
  }

  /// A text that means itself or a number, flag or unit.
  package init(_ text: String) { self = .scalar(text, isQuoted: false) }

  /// A value as it was read, without anchors.
  package init(_ node: YAMLNode) {
    switch node.content {
    case .scalar(let text, let isPlain): self = .scalar(text, isQuoted: !isPlain)
    case .sequence(let nodes): self = .list(nodes.map(Self.init))
    case .mapping(let entries):
      self = .mapping(entries.map { Entry(key: Self($0.key), value: Self($0.value)) })
    }
  }

  /// A mapping with these keys, in this order.
  package static func keys(_ keys: [(YAMLValue, YAMLValue)]) -> Self {
    .mapping(keys.map { Entry(key: $0.0, value: $0.1) })
  }

  /// A text, in quotes where it would be nothing without.
  package static func word(_ text: String) -> Self {
    .scalar(text, isQuoted: ["", "~", "null"].contains(text))
  }

  /// The value as a file has it, without the end of the line.
  package var line: String {
    // The emitter fails only without memory.
    var text = YAMLEmitter.document(self) ?? ""
    if text.hasSuffix("\n...\n") { text.removeLast(5) }
    if text.hasSuffix("\n") { text.removeLast() }
    return text
  }
}

/// Writes a document with libyaml's emitter.
///
/// Used by one writer at a time: [any-thread].
@safe
private final class YAMLEmitter {
  /// The bytes that the emitter has written.
  private final class Output {
    var bytes: [UInt8] = []
  }

  private let emitter: UnsafeMutablePointer<yaml_emitter_t>
  private let output = Output()

  /// A document of a value; nil without memory.
  static func document(_ value: YAMLValue) -> String? {
    guard let emitter = YAMLEmitter() else { return nil }
    guard
      unsafe emitter.emit({ unsafe yaml_stream_start_event_initialize($0, YAML_UTF8_ENCODING) }),
      unsafe emitter.emit({ unsafe yaml_document_start_event_initialize($0, nil, nil, nil, 1) }),
      emitter.emit(value),
      unsafe emitter.emit({ unsafe yaml_document_end_event_initialize($0, 1) }),
      unsafe emitter.emit({ unsafe yaml_stream_end_event_initialize($0) })
    else { return nil }
    return String(decoding: emitter.output.bytes, as: UTF8.self)
  }

  private init?() {
    unsafe emitter = .allocate(capacity: 1)
    unsafe emitter.initialize(to: yaml_emitter_t())
    guard unsafe yaml_emitter_initialize(emitter) == 1 else { return nil }
    unsafe yaml_emitter_set_output(
      emitter,
      { context, bytes, count in
        guard let context = unsafe context, let bytes = unsafe bytes else { return 0 }
        let output = unsafe Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
        unsafe output.bytes += UnsafeBufferPointer(start: bytes, count: count)
        return 1
      },
      Unmanaged.passUnretained(output).toOpaque(),
    )
    // One line, however long.
    unsafe yaml_emitter_set_width(emitter, -1)
    unsafe yaml_emitter_set_unicode(emitter, 1)
    unsafe yaml_emitter_set_encoding(emitter, YAML_UTF8_ENCODING)
  }

  deinit {
    unsafe yaml_emitter_delete(emitter)
    unsafe emitter.deallocate()
  }

  /// Emits an event, which the emitter frees; false without memory.
  private func emit(_ make: (UnsafeMutablePointer<yaml_event_t>) -> Int32) -> Bool {
    var event = unsafe yaml_event_t()
    guard unsafe make(&event) == 1 else { return false }
    return unsafe yaml_emitter_emit(emitter, &event) == 1
  }

  private func emit(_ value: YAMLValue) -> Bool {
    switch value {
    case .scalar(let text, let isQuoted):
      return unsafe emit { event in
        var bytes = Array(text.utf8)
        let count = Int32(bytes.count)
        let style = isQuoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_ANY_SCALAR_STYLE
        return unsafe yaml_scalar_event_initialize(event, nil, nil, &bytes, count, 1, 1, style)
      }
    case .list(let values):
      let hasBegun = unsafe emit {
        unsafe yaml_sequence_start_event_initialize($0, nil, nil, 1, YAML_FLOW_SEQUENCE_STYLE)
      }
      guard hasBegun, values.allSatisfy({ emit($0) }) else { return false }
      return unsafe emit { unsafe yaml_sequence_end_event_initialize($0) }
    case .mapping(let entries):
      let hasBegun = unsafe emit {
        unsafe yaml_mapping_start_event_initialize($0, nil, nil, 1, YAML_FLOW_MAPPING_STYLE)
      }
      guard hasBegun, entries.allSatisfy({ emit($0.key) && emit($0.value) }) else { return false }
      return unsafe emit { unsafe yaml_mapping_end_event_initialize($0) }
    }
  }
}
