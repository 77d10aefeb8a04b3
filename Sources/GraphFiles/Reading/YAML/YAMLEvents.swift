// SPDX-License-Identifier: MIT

internal import CYaml

/// The events of a YAML text, one by one, from libyaml.
///
/// Graph files need events, because Yams' ready tree has three gaps: it drops duplicate keys, its limits come after the
/// memory is taken, and it hashes aliased trees, which a small file can make take forever.
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

  /// A text that is not YAML.
  struct SyntaxError: Error {
    var position: SourcePosition
    var message: String
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
  mutating func next() throws(SyntaxError) -> Item {
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

  private func syntaxError() -> SyntaxError {
    guard let problem = unsafe parser.pointee.problem else {
      return SyntaxError(position: .start, message: "not enough memory to read the file")
    }
    let description = unsafe String(cString: problem)
    guard unsafe parser.pointee.error == YAML_READER_ERROR else {
      return unsafe SyntaxError(
        position: position(parser.pointee.problem_mark),
        message: YAMLSyntaxHint.message(for: description),
      )
    }
    let prefix = unsafe text.prefix(parser.pointee.problem_offset)
    return SyntaxError(
      position: unsafe SourcePosition(
        after: String(decoding: prefix, as: UTF8.self).unicodeScalars,
      ),
      message: YAMLSyntaxHint.message(for: description),
    )
  }

  private func position(_ mark: yaml_mark_t) -> SourcePosition {
    SourcePosition(line: mark.line + 1, column: mark.column + 1)
  }

  private func string(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    unsafe bytes.map { unsafe String(cString: $0) }
  }
}

/// Adds advice for authors of graph files to the scanner's messages.
///
/// [any-thread]
enum YAMLSyntaxHint {
  private static let hints: [(part: String, hint: String)] = [
    ("cannot start any token", "indent with spaces, and put text that starts like this in quotes"),
    ("tab character", "indent with spaces"),
    ("mapping values are not allowed", "put text with ': ' in it in quotes, or check the indent"),
    ("could not find expected ':'", "write 'key: value'"),
    ("did not find expected key", "check the indent, and the quotes and brackets of this value"),
    ("did not find expected '-' indicator", "entries of one list start in one column with '- '"),
    ("did not find expected ',' or", "a bracket is not closed or a comma is missing"),
    ("did not find expected <document start>", "only one document; check the indent"),
    ("unexpected end of stream", "a quote is not closed"),
    ("unknown escape character", "in double quotes write '\\\\' for a backslash, or use '…'"),
    ("control characters", "remove it, or write it as '\\x..' in double quotes"),
    ("block sequence entries are not allowed", "put the list on a new line, or write [a, b]"),
  ]

  static func message(for problem: String) -> String {
    // The scanner has its own depth limit, and reads ahead of this parser's count.
    if problem.contains("nesting level") { return YAMLComposer.tooDeep }
    let hint = hints.first { problem.contains($0.part) }?.hint
    return "not YAML: \(problem)" + (hint.map { "; \($0)" } ?? "")
  }
}
