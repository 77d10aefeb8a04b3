// SPDX-License-Identifier: MIT

internal import CXML2

/// A text that is not XML, or that has more than may be read.
///
/// Pure value: [any-thread].
package struct XMLFault: Error, Equatable, Sendable {
  /// The line, counted from 1.
  package let line: Int
  /// One sentence: the fault, and what is allowed.
  package let message: String
}

/// An element of an XML file.
///
/// Pure value: [any-thread].
package struct XMLTree: Sendable {
  /// The largest file in bytes.
  package static let sizeLimit = 4 << 20
  /// The most elements.
  package static let elementLimit = 50_000
  /// The most elements inside each other.
  package static let depthLimit = 16

  /// Its name.
  package let name: String
  /// The line of its start, counted from 1.
  package let line: Int
  /// Its attributes by their names.
  package let attributes: [String: String]
  /// The elements inside, in order.
  package var children: [XMLTree] = []
  /// The text inside, without that of elements.
  package var text = ""

  /// The elements of a name, in order.
  package func children(named name: String) -> [XMLTree] { children.filter { $0.name == name } }

  /// Reads a file from its bytes.
  ///
  /// - Throws: The first fault; files with entities, too many or too deep elements, and others than UTF-8 are faulty.
  package static func read(_ bytes: [UInt8]) throws(XMLFault) -> XMLTree {
    guard bytes.count <= sizeLimit else {
      throw XMLFault(line: 1, message: "the file has more than \(sizeLimit >> 20) MiB")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw XMLFault(line: 1, message: "the file is not UTF-8")
    }
    // None of the programs writes entities; the parser would expand them without telling.
    if let place = bytes.firstRange(of: Array("<!ENTITY".utf8)) {
      let line = 1 + bytes[..<place.lowerBound].count { $0 == UInt8(ascii: "\n") }
      throw XMLFault(line: line, message: "the file declares entities; they are not allowed")
    }
    var reader = XMLTreeReader(bytes)
    return try reader.root()
  }
}

/// Builds the tree from what libxml2's reader finds, and stops at the first fault.
///
/// Used by one call of ``XMLTree/read(_:)``: [any-thread].
@safe
private struct XMLTreeReader: ~Copyable {
  private static let ended =
    "not XML, or XML that ends too early; a patch file is needed"

  private let reader: xmlTextReaderPtr?
  private let text: UnsafeMutableBufferPointer<CChar>
  private var open: [XMLTree] = []
  private var count = 0
  private var textBytes = 0

  init(_ bytes: [UInt8]) {
    unsafe text = .allocate(capacity: max(1, bytes.count))
    _ = unsafe text.initialize(from: bytes.lazy.map { CChar(bitPattern: $0) })
    xmlResetLastError()
    unsafe reader = xmlReaderForMemory(
      text.baseAddress,
      Int32(bytes.count),
      nil,
      "UTF-8",
      Int32(CXML2_READER_OPTIONS),
    )
  }

  deinit {
    unsafe xmlFreeTextReader(reader)
    unsafe text.deallocate()
  }

  /// Reads the whole file.
  mutating func root() throws(XMLFault) -> XMLTree {
    guard unsafe reader != nil else { throw XMLFault(line: 1, message: Self.ended) }
    var root: XMLTree?
    while true {
      switch unsafe xmlTextReaderRead(reader) {
      case 1:
        if let whole = try take() { root = whole }
      case 0:
        guard let root else { throw XMLFault(line: line, message: Self.ended) }
        return root
      default:
        throw parserFault()
      }
    }
  }

  /// Takes in the next part; gives the root once it has ended.
  private mutating func take() throws(XMLFault) -> XMLTree? {
    switch unsafe Int(xmlTextReaderNodeType(reader)) {
    case CXML2_ELEMENT:
      // The attributes are the next places of the reader, so this is asked first.
      let isEmpty = unsafe xmlTextReaderIsEmptyElement(reader) == 1
      try begin()
      return isEmpty ? end() : nil
    case CXML2_END_ELEMENT:
      return end()
    case CXML2_TEXT, CXML2_CDATA, CXML2_WHITESPACE, CXML2_SIGNIFICANT_WHITESPACE:
      try take(unsafe string(xmlTextReaderConstValue(reader)))
      return nil
    default:
      return nil
    }
  }

  private mutating func begin() throws(XMLFault) {
    let line = line
    count += 1
    guard count <= XMLTree.elementLimit else {
      throw XMLFault(line: line, message: "more than \(XMLTree.elementLimit) elements")
    }
    guard open.count < XMLTree.depthLimit else {
      throw XMLFault(line: line, message: "elements more than \(XMLTree.depthLimit) deep")
    }
    let name = unsafe string(xmlTextReaderConstName(reader))
    var attributes: [String: String] = [:]
    while unsafe xmlTextReaderMoveToNextAttribute(reader) == 1 {
      let name = unsafe string(xmlTextReaderConstName(reader))
      attributes[name] = unsafe string(xmlTextReaderConstValue(reader))
    }
    open.append(XMLTree(name: name, line: line, attributes: attributes))
  }

  private mutating func end() -> XMLTree? {
    guard let element = open.popLast() else { return nil }
    guard !open.isEmpty else { return element }
    open[open.count - 1].children.append(element)
    return nil
  }

  private mutating func take(_ text: String) throws(XMLFault) {
    guard !open.isEmpty else { return }
    textBytes += text.utf8.count
    guard textBytes <= XMLTree.sizeLimit else {
      throw XMLFault(line: line, message: "more than \(XMLTree.sizeLimit >> 20) MiB of text")
    }
    open[open.count - 1].text += text
  }

  /// The line of the present part: the parser itself may be ahead.
  private var line: Int {
    max(1, unsafe Int(xmlGetLineNo(xmlTextReaderCurrentNode(reader))))
  }

  private func parserFault() -> XMLFault {
    guard let words = unsafe cxml2_last_message() else {
      return XMLFault(line: line, message: Self.ended)
    }
    let reason = unsafe String(cString: words).split(whereSeparator: \.isNewline).first ?? ""
    return XMLFault(line: max(1, Int(cxml2_last_line())), message: "not XML: \(reason)")
  }

  private func string(_ bytes: UnsafePointer<xmlChar>?) -> String {
    unsafe bytes.map { unsafe String(cString: $0) } ?? ""
  }
}
