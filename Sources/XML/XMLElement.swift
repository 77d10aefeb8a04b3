// SPDX-License-Identifier: MIT

internal import CXML2

/// An element of a file that is to be written.
///
/// Used by one writer at a time: [any-thread].
package final class XMLElement {
  private let name: String
  private let attributes: [(String, String)]
  private var children: [XMLElement] = []
  /// The text before the elements inside.
  package var text = ""

  /// An element with attributes, in this order.
  package init(_ name: String, _ attributes: [(String, String)] = []) {
    self.name = name
    self.attributes = attributes
  }

  /// Adds an element at the end.
  package func addChild(_ child: XMLElement) { children.append(child) }

  /// The element as the root of a file, in UTF-8, a line for each element.
  ///
  /// - Parameter type: The name in the declaration of the type; nil for no declaration.
  /// - Returns: The text of the file.
  package func document(type: String? = nil) -> String {
    let buffer = unsafe xmlBufferCreate()
    defer { unsafe xmlBufferFree(buffer) }
    let writer = unsafe xmlNewTextWriterMemory(buffer, 0)
    defer { unsafe xmlFreeTextWriter(writer) }
    // These fail only without memory.
    _ = unsafe xmlTextWriterSetIndent(writer, 1)
    _ = unsafe xmlTextWriterSetIndentString(writer, "  ")
    _ = unsafe xmlTextWriterStartDocument(writer, "1.0", "UTF-8", nil)
    if let type {
      _ = unsafe xmlTextWriterStartDTD(writer, type, nil, nil)
      _ = unsafe xmlTextWriterEndDTD(writer)
    }
    unsafe write(to: writer)
    _ = unsafe xmlTextWriterEndDocument(writer)
    _ = unsafe xmlTextWriterFlush(writer)
    guard let bytes = unsafe xmlBufferContent(buffer) else { return "" }
    return unsafe String(cString: bytes)
  }

  private func write(to writer: xmlTextWriterPtr?) {
    _ = unsafe xmlTextWriterStartElement(writer, name)
    for (name, value) in attributes {
      _ = unsafe xmlTextWriterWriteAttribute(writer, name, value)
    }
    if !text.isEmpty { _ = unsafe xmlTextWriterWriteString(writer, text) }
    for child in children { unsafe child.write(to: writer) }
    _ = unsafe xmlTextWriterEndElement(writer)
  }
}
