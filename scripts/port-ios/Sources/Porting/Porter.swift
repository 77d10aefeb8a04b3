// SPDX-License-Identifier: MIT

internal import SwiftParser
internal import SwiftSyntax

/// A file after the rewriting.
///
/// Pure value: [any-thread].
public struct PortedFile: Sendable, Equatable {
  /// The new text.
  public var source: String
  /// The number of changes of each kind.
  public var changes: [Change: Int]
  /// The places that are left to do by hand, as `line:column: what, and what to do`.
  public var remarks: [String]

  /// The kinds of change.
  public enum Change: String, CaseIterable, Sendable {
    /// `os(iOS)` holds on Linux.
    case condition = "conditions"
    /// An attribute of Objective-C is gone.
    case attribute = "attributes"
    /// A selector of a notification is a closure.
    case notification = "notifications"
    /// A selector of a timer is a closure.
    case timer = "timers"
    /// A selector of a remote command is a closure.
    case remoteCommand = "remote commands"
  }

  /// Whether the file uses the shim.
  public var needsShim: Bool { changes.keys.contains { $0 == .notification || $0 == .timer } }
}

/// Rewrites what only the compiler's platform hinders.
///
/// Formatting and comments stay as they are, and a second run changes nothing. Pure value: [any-thread].
public struct Porter: Sendable {
  private let handlers: Handlers

  /// Makes a porter.
  ///
  /// - Parameter handlers: The methods of all files of the module, which selectors can mean.
  public init(handlers: Handlers) { self.handlers = handlers }

  /// Rewrites a file.
  public func port(_ source: String) -> PortedFile {
    let tree = Parser.parse(source: source)
    let visitor = PortingVisitor(tree, handlers)
    visitor.walk(tree)
    return PortedFile(
      source: visitor.edits.applied(to: source),
      changes: visitor.changes,
      remarks: visitor.remarks,
    )
  }
}

/// Finds what is to be changed in a file.
final class PortingVisitor: SyntaxVisitor {
  var edits = Edits()
  var changes: [PortedFile.Change: Int] = [:]
  var remarks: [String] = []
  /// The selectors that are part of a call that was rewritten.
  var ported: Set<SyntaxIdentifier> = []
  let handlers: Handlers
  private let locations: SourceLocationConverter

  init(_ tree: SourceFileSyntax, _ handlers: Handlers) {
    self.handlers = handlers
    locations = SourceLocationConverter(fileName: "", tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  func count(_ change: PortedFile.Change) { changes[change, default: 0] += 1 }

  func remark(_ node: some SyntaxProtocol, _ text: String) {
    let place = node.startLocation(converter: locations)
    remarks.append("\(place.line):\(place.column): \(text)")
  }

  /// The text of a node without the space around it.
  func range(_ node: some SyntaxProtocol) -> Range<Int> {
    node.positionAfterSkippingLeadingTrivia
      .utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
  }

  // MARK: - Conditions

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    guard let condition = node.condition, !condition.trimmedDescription.contains("os(Linux)") else {
      return .visitChildren
    }
    let finder = PlatformFinder(viewMode: .sourceAccurate)
    finder.walk(condition)
    for call in finder.calls {
      let isWhole = call.id == Syntax(condition).id
      edits.replace(
        range(call),
        with: isWhole ? "os(iOS) || os(Linux)" : "(os(iOS) || os(Linux))",
      )
      count(.condition)
    }
    return .visitChildren
  }

  // MARK: - Attributes

  /// The attributes that only Objective-C has.
  private static let attributes: Set<String> = [
    "objc", "objcMembers", "nonobjc", "IBAction", "IBOutlet", "IBInspectable", "IBDesignable",
  ]

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
    guard Self.attributes.contains(node.attributeName.trimmedDescription) else {
      return .visitChildren
    }
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    edits.replace(start..<end(ofAttribute: node), with: "")
    count(.attribute)
    removeDynamic(node)
    return .skipChildren
  }

  /// The end of an attribute with the space behind it, up to a comment or to what follows.
  private func end(ofAttribute node: AttributeSyntax) -> Int {
    let space = node.trailingTrivia.prefix { $0.isWhitespace }
    let next = node.nextToken(viewMode: .sourceAccurate)
    guard space.count == node.trailingTrivia.count, let next,
      next.leadingTrivia.allSatisfy(\.isWhitespace)
    else {
      return node.endPositionBeforeTrailingTrivia.utf8Offset
        + space.reduce(0) { $0 + $1.sourceLength.utf8Length }
    }
    return next.positionAfterSkippingLeadingTrivia.utf8Offset
  }

  /// Removes `dynamic`, which stands for Objective-C's messages beside `@objc`.
  private func removeDynamic(_ attribute: AttributeSyntax) {
    guard let owner = attribute.parent?.parent?.asProtocol((any WithModifiersSyntax).self) else {
      return
    }
    for modifier in owner.modifiers where modifier.name.text == "dynamic" {
      let start = modifier.positionAfterSkippingLeadingTrivia.utf8Offset
      edits.replace(start..<modifier.endPosition.utf8Offset, with: "")
    }
    for modifier in owner.modifiers where modifier.name.text == "optional" {
      remark(
        modifier,
        "an optional requirement needs Objective-C; give it a default implementation in an extension"
      )
    }
  }

  // MARK: - Imports

  private static let absent: [String: String] = [
    "Combine": "import OpenCombine instead, and OpenCombineFoundation for publishers of Foundation",
    "UIKit": "move what draws to another file, or guard it with '#if canImport(UIKit)'",
    "SwiftUI": "move what draws to another file, or guard it with '#if canImport(SwiftUI)'",
    "AVKit": "AVRoutePickerView's model is MPVolumeViewModel of MediaPlayer",
    "CallKit": "the host simulates calls: 'multiroute simulate call ring'",
  ]

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    let name = node.path.trimmedDescription
    if let advice = Self.absent[name], !isGuarded(node, by: name) {
      remark(node, "there is no module \(name) on Linux; \(advice)")
    }
    return .skipChildren
  }

  private func isGuarded(_ node: ImportDeclSyntax, by name: String) -> Bool {
    var parent = node.parent
    while let current = parent {
      if let clause = current.as(IfConfigClauseSyntax.self) {
        return clause.condition?.trimmedDescription.contains("canImport(\(name))") == true
      }
      parent = current.parent
    }
    return false
  }

  // MARK: - Selectors

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    portCall(node)
    return .visitChildren
  }

  override func visitPost(_ node: MacroExpansionExprSyntax) {
    guard node.macroName.text == "selector", !ported.contains(node.id) else { return }
    remark(
      node,
      "a selector that is no observer, timer or remote command; call the method in a closure"
    )
  }
}

/// Finds `os(iOS)` in a condition.
private final class PlatformFinder: SyntaxVisitor {
  var calls: [Syntax] = []

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if node.trimmedDescription == "os(iOS)" { calls.append(Syntax(node)) }
    return .visitChildren
  }
}
