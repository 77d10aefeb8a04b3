// SPDX-License-Identifier: MIT

internal import Foundation
internal import FoundationXML

/// A file that cannot be read, or a part of it that means nothing.
///
/// Pure value: [any-thread].
public struct PatchFileFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// One sentence: the fault, and what is allowed.
  public let message: String

  /// `12: the fault`.
  public var description: String { "\(line): \(message)" }
}

/// An element of an XML file.
///
/// Pure value: [any-thread].
struct XMLTree: Sendable {
  /// The largest file in bytes.
  static let sizeLimit = 4 << 20
  /// The most elements.
  static let elementLimit = 50_000
  /// The most elements inside each other.
  static let depthLimit = 16

  let name: String
  let line: Int
  let attributes: [String: String]
  var children: [XMLTree] = []
  var text = ""

  /// The elements of a name, in order.
  func children(named name: String) -> [XMLTree] { children.filter { $0.name == name } }

  /// Reads a file from its bytes.
  ///
  /// - Throws: The first fault; files with entities, too many or too deep elements, and others than UTF-8 are faulty.
  static func read(_ bytes: [UInt8]) throws(PatchFileFault) -> XMLTree {
    guard bytes.count <= sizeLimit else {
      throw PatchFileFault(line: 1, message: "the file has more than \(sizeLimit >> 20) MiB")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw PatchFileFault(line: 1, message: "the file is not UTF-8")
    }
    // Neither program writes entities; the parser would expand them without telling.
    if let place = Data(bytes).range(of: Data("<!ENTITY".utf8)) {
      let line = 1 + bytes[..<place.lowerBound].count { $0 == UInt8(ascii: "\n") }
      throw PatchFileFault(line: line, message: "the file declares entities; they are not allowed")
    }
    let parser = XMLParser(data: Data(bytes))
    parser.shouldResolveExternalEntities = false
    let reader = XMLTreeReader()
    parser.delegate = reader
    let isComplete = parser.parse()
    if let fault = reader.fault { throw fault }
    guard isComplete, let root = reader.root else {
      throw PatchFileFault(
        line: max(1, parser.lineNumber),
        message: "not XML, or XML that ends too early; a patch file is needed",
      )
    }
    return root
  }
}

/// Builds the tree from what the parser finds, and stops it at the first fault.
///
/// Used by one call of ``XMLTree/read(_:)``: [any-thread].
private final class XMLTreeReader: NSObject, XMLParserDelegate {
  private(set) var root: XMLTree?
  private(set) var fault: PatchFileFault?
  private var open: [XMLTree] = []
  private var count = 0
  private var textBytes = 0

  private func stop(_ parser: XMLParser, _ message: String) {
    guard fault == nil else { return }
    fault = PatchFileFault(line: max(1, parser.lineNumber), message: message)
    parser.abortParsing()
  }

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String],
  ) {
    count += 1
    guard count <= XMLTree.elementLimit else {
      return stop(parser, "more than \(XMLTree.elementLimit) elements")
    }
    guard open.count < XMLTree.depthLimit else {
      return stop(parser, "elements more than \(XMLTree.depthLimit) deep")
    }
    open.append(XMLTree(name: name, line: max(1, parser.lineNumber), attributes: attributes))
  }

  func parser(
    _ parser: XMLParser,
    didEndElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
  ) {
    guard fault == nil, let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    guard fault == nil, !open.isEmpty else { return }
    textBytes += string.utf8.count
    guard textBytes <= XMLTree.sizeLimit else {
      return stop(parser, "more than \(XMLTree.sizeLimit >> 20) MiB of text")
    }
    open[open.count - 1].text += string
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    let reason = (parseError as NSError).userInfo["NSXMLParserErrorMessage"] as? String
    stop(parser, "not XML" + (reason.map { ": \($0)" } ?? ""))
  }
}
