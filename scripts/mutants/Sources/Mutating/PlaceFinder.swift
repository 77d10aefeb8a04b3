// SPDX-License-Identifier: MIT

internal import SwiftSyntax

/// Finds the places of a file, and wraps each in a call that chooses.
///
/// Outer expressions are found before the inner ones, so that calls nest.
final class PlaceFinder: SyntaxVisitor {
  struct Found {
    var line: Int
    var column: Int
    var original: String
    var mutated: String
    var text: String
    var key: String
    /// The lines where the compiler reports an error about the place.
    var around: ClosedRange<Int>
  }

  private(set) var found: [Found] = []
  private(set) var insertions = Insertions()
  /// Whether all places are left out.
  private(set) var isUnchanged = true
  private let file: String
  private let lines: [Substring]
  private let first: Int
  private let leftOut: Set<String>
  private let locations: SourceLocationConverter
  /// How often each change of a line's text has been found.
  private var seen: [String: Int] = [:]

  init(
    _ file: String,
    _ source: String,
    from first: Int,
    leavingOut leftOut: Set<String>,
    _ locations: SourceLocationConverter,
  ) {
    self.file = file
    lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    self.first = first
    self.leftOut = leftOut
    self.locations = locations
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: - Operators

  /// The function of `Mutant` for an operator, and the operator that the mutant has instead.
  private static let operators: [String: (function: String, mutated: String)] = [
    "<": ("less", "<="), "<=": ("atMost", "<"), ">": ("more", ">="), ">=": ("atLeast", ">"),
    "+": ("plus", "-"), "-": ("minus", "+"), "+=": ("add", "-="), "-=": ("subtract", "+="),
    "*": ("times", "/"), "/": ("over", "*"), "%": ("modulo", "*"),
    "&+": ("wrappingPlus", "&-"), "&-": ("wrappingMinus", "&+"),
  ]

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator,
      !isMemorySize(node)
    else { return .visitChildren }
    switch sign.text {
    case "==", "!=":
      if let number = note(sign, becomes: sign.text == "==" ? "!=" : "==") {
        insertions.wrap(range(node), "Mutant.flip(\(number), ")
      }
    case "&&", "||":
      // By De Morgan: not (not a and not b) is a or b, and b is computed in the same cases.
      if let number = note(sign, becomes: sign.text == "&&" ? "||" : "&&") {
        insertions.wrap(range(node), "Mutant.flip(\(number), ")
        insertions.wrap(range(node.leftOperand), "Mutant.flip(\(number), ")
        insertions.wrap(range(node.rightOperand), "Mutant.flip(\(number), ")
      }
    default:
      guard let (function, mutated) = Self.operators[sign.text], !isText(node),
        let number = note(sign, becomes: mutated)
      else { return .visitChildren }
      let isAssignment = sign.text.hasSuffix("=") && sign.text.first.map("+-".contains) == true
      insertions.wrap(range(node), "Mutant.\(function)(\(number), \(isAssignment ? "&" : "")")
      insertions.replace(range(sign), with: ",")
    }
    return .visitChildren
  }

  /// Whether a sum is one of texts or arrays, or its variable is behind a question mark.
  private func isText(_ node: InfixOperatorExprSyntax) -> Bool {
    if let sum = node.leftOperand.as(InfixOperatorExprSyntax.self), isText(sum) { return true }
    return node.leftOperand.is(StringLiteralExprSyntax.self)
      || node.rightOperand.is(StringLiteralExprSyntax.self)
      || node.leftOperand.is(ArrayExprSyntax.self) || node.rightOperand.is(ArrayExprSyntax.self)
      || isBehindQuestionMark(node.leftOperand)
  }

  private func isBehindQuestionMark(_ node: ExprSyntax) -> Bool {
    node.tokens(viewMode: .sourceAccurate)
      .contains { $0.parent?.is(OptionalChainingExprSyntax.self) == true }
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!", let number = note(node.operator, becomes: "nothing") {
      insertions.wrap(range(node), "Mutant.flip(\(number), ")
    }
    return .visitChildren
  }

  // MARK: - Literals

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let text = node.literal.text
    guard text == "0" || text == "1", !isMemorySize(node) else { return .skipChildren }
    let mutated = text == "0" ? "1" : "0"
    if let number = note(node.literal, becomes: mutated) {
      insertions.wrap(range(node), "Mutant.literal(\(number), ", ", \(mutated))")
    }
    return .skipChildren
  }

  /// Whether an expression is a size of memory or a part of one: sanitizers find it too small, and no test.
  private func isMemorySize(_ node: some SyntaxProtocol) -> Bool {
    var inner = Syntax(node)
    while let outer = inner.parent, !inner.is(CodeBlockItemSyntax.self) {
      if let argument = inner.as(LabeledExprSyntax.self),
        ["byteCount", "capacity", "count"].contains(argument.label?.text),
        let call = outer.parent?.as(FunctionCallExprSyntax.self),
        let callee = call.calledExpression.as(MemberAccessExprSyntax.self),
        ["allocate", "initialize", "deinitialize"].contains(callee.declName.baseName.text)
      {
        return true
      }
      inner = outer
    }
    return false
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    // The compiler has to see that `while true` does not end by itself.
    if node.parent?.is(ConditionElementSyntax.self) == true { return .skipChildren }
    let mutated = node.literal.text == "true" ? "false" : "true"
    if let number = note(node.literal, becomes: mutated) {
      insertions.wrap(range(node), "Mutant.flip(\(number), ")
    }
    return .skipChildren
  }

  // MARK: - Calls and guards

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let callee = node.calledExpression.trimmedDescription
    // Contracts with callers: a test would have to die of them.
    if ["precondition", "assert", "preconditionFailure", "fatalError"].contains(callee) {
      return .skipChildren
    }
    let name = callee.hasPrefix("Swift.") ? String(callee.dropFirst(6)) : callee
    guard name == "min" || name == "max", node.arguments.count == 2, let leftParen = node.leftParen,
      node.arguments.allSatisfy({ $0.label == nil }), !isMemorySize(node),
      let number = note(node.calledExpression, becomes: name == "min" ? "max" : "min")
    else { return .visitChildren }
    insertions.replace(range(node.calledExpression), with: "Mutant.\(name)")
    insertions.replace(range(leftParen), with: "(\(number), ")
    return .visitChildren
  }

  override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
    for element in node.conditions {
      if let condition = element.condition.as(ExprSyntax.self),
        let number = note(condition, becomes: "true", as: "guard")
      {
        insertions.wrap(range(condition), "Mutant.pass(\(number), ")
      }
    }
    return .visitChildren
  }

  // MARK: - What is no mutant

  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  override func visit(_ node: GenericArgumentClauseSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
    if let elements = node.elements { walk(elements) }
    return .skipChildren
  }

  /// The value of a global or static variable is made once, and may have to be a constant.
  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    let declaration = node.parent?.parent?.as(VariableDeclSyntax.self)
    let isStatic = declaration?.modifiers.contains { $0.name.text == "static" } == true
    let isGlobal = declaration?.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
    guard isStatic || isGlobal else { return .visitChildren }
    if let accessors = node.accessorBlock { walk(accessors) }
    return .skipChildren
  }

  // MARK: - Notes

  /// The text of a node without the space around it.
  private func range(_ node: some SyntaxProtocol) -> Range<Int> {
    node.positionAfterSkippingLeadingTrivia
      .utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
  }

  /// Notes a place.
  ///
  /// - Returns: The mutant's number, or nothing if it is left out.
  private func note(
    _ node: some SyntaxProtocol,
    becomes mutated: String,
    as original: String? = nil,
  ) -> Int? {
    let start = node.startLocation(converter: locations)
    let original = original ?? node.trimmedDescription
    let text = String(lines[start.line - 1].drop { $0 == " " })
    let change = "\(original) to \(mutated): \(text)"
    seen[change, default: 0] += 1
    let key = "\(file): \(seen[change, default: 1]). \(change)"
    found.append(
      Found(
        line: start.line,
        column: start.column,
        original: original,
        mutated: mutated,
        text: text,
        key: key,
        around: linesAround(Syntax(node)),
      )
    )
    if leftOut.contains(key) { return nil }
    isUnchanged = false
    return first + found.count - 1
  }

  private func linesAround(_ node: Syntax) -> ClosedRange<Int> {
    var around = node
    while let parent = around.parent, !around.is(CodeBlockItemSyntax.self),
      !around.is(ConditionElementSyntax.self), !around.is(MemberBlockItemSyntax.self)
    {
      around = parent
    }
    let last = around.endLocation(converter: locations).line
    return around.startLocation(converter: locations).line...last
  }
}
