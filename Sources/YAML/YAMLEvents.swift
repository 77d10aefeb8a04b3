// SPDX-License-Identifier: MIT

internal import CYAML

/// The events of a YAML text, one by one, from libyaml.
///
/// Files that others wrote are read by events, so that the limits come before memory is taken, duplicate keys are seen, and
/// aliases cannot make a small file take forever.
///
/// Used by one reader at a time: [any-thread].
@safe
struct YAMLEvents: ~Copyable {
  enum Event {
    case scalar(String, isPlain: Bool, anchor: String?)
    case alias(String)
    case sequenceStart(anchor: String?)
    case mappingStart(anchor: String?)
    /// The end of a sequence, mapping or document.
    case end
    case documentStart
    case streamEnd
  }

  /// An event with the place where it starts, the tag written there, if any, and its characters.
  struct Item {
    var event: Event
    var position: SourcePosition
    var tag: String?
    /// Unicode scalars of the text, counted from 0 behind a byte order mark.
    var span: Range<Int>
  }

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: UnsafeMutableBufferPointer<UInt8>

  init(_ source: String) {
    unsafe parser = .allocate(capacity: 1)
    unsafe text = .allocate(capacity: max(1, source.utf8.count))
    _ = unsafe text.initialize(from: source.utf8)
    unsafe parser.initialize(to: yaml_parser_t())
    // Fails only without memory; then the first event is the error.
    if unsafe yaml_parser_initialize(parser) == 1 {
      unsafe yaml_parser_set_input_string(parser, text.baseAddress, source.utf8.count)
    }
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  /// The next event; `streamEnd` is the last.
  mutating func next() throws(YAMLFault) -> Item {
    while true {
      var event = unsafe yaml_event_t()
      guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw syntaxError() }
      defer { unsafe yaml_event_delete(&event) }
      guard let item = unsafe item(event) else { continue }
      return item
    }
  }

  private func item(_ raw: yaml_event_t) -> Item? {
    let event: Event
    var tag: String?
    switch unsafe raw.type {
    case YAML_SCALAR_EVENT:
      let scalar = unsafe raw.data.scalar
      unsafe tag = string(scalar.tag)
      let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      unsafe event = .scalar(
        String(decoding: bytes, as: UTF8.self),
        isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
        anchor: string(scalar.anchor),
      )
    case YAML_ALIAS_EVENT:
      event = unsafe .alias(string(raw.data.alias.anchor) ?? "")
    case YAML_SEQUENCE_START_EVENT:
      unsafe tag = string(raw.data.sequence_start.tag)
      event = unsafe .sequenceStart(anchor: string(raw.data.sequence_start.anchor))
    case YAML_MAPPING_START_EVENT:
      unsafe tag = string(raw.data.mapping_start.tag)
      event = unsafe .mappingStart(anchor: string(raw.data.mapping_start.anchor))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT, YAML_DOCUMENT_END_EVENT:
      event = .end
    case YAML_DOCUMENT_START_EVENT:
      event = .documentStart
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
      event = .streamEnd
    default:
      return nil
    }
    return unsafe Item(
      event: event,
      position: position(raw.start_mark),
      tag: tag,
      span: raw.start_mark.index..<max(raw.start_mark.index, raw.end_mark.index),
    )
  }

  private func syntaxError() -> YAMLFault {
    guard let problem = unsafe parser.pointee.problem else {
      return YAMLFault(position: .start, .noMemory)
    }
    let description = unsafe String(cString: problem)
    // The scanner has its own depth limit, and reads ahead of the composer's count.
    let kind: YAMLFault.Kind =
      description.contains("nesting level") ? .tooDeep : .syntax(description)
    guard unsafe parser.pointee.error == YAML_READER_ERROR else {
      return unsafe YAMLFault(position: position(parser.pointee.problem_mark), kind)
    }
    let prefix = unsafe text.prefix(parser.pointee.problem_offset)
    let place = unsafe SourcePosition(after: String(decoding: prefix, as: UTF8.self).unicodeScalars)
    return YAMLFault(position: place, kind)
  }

  private func position(_ mark: yaml_mark_t) -> SourcePosition {
    SourcePosition(line: mark.line + 1, column: mark.column + 1)
  }

  private func string(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    unsafe bytes.map { unsafe String(cString: $0) }
  }
}
