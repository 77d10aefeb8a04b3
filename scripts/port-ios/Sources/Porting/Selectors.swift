// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension PortingVisitor {
  /// Rewrites a call with a selector of an observer, a timer or a remote command.
  func portCall(_ node: FunctionCallExprSyntax) {
    let name =
      node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    let labels = node.arguments.map { $0.label?.text ?? "_" }
    switch (name, labels) {
    case ("addObserver", ["_", "selector", "name", "object"]): portObserver(node)
    case ("scheduledTimer", ["timeInterval", "target", "selector", "userInfo", "repeats"]),
      ("Timer", ["timeInterval", "target", "selector", "userInfo", "repeats"]):
      portTimer(node)
    case ("addTarget", ["_", "action"]) where isCommand(node): portTarget(node)
    case ("removeTarget", ["_", "action"]) where isCommand(node),
      ("removeTarget", ["_"]) where isCommand(node) && isSelf(node.arguments.first):
      removeTarget(node)
    case ("removeObserver", ["_", "name", "object"]) where isSelf(node.arguments.first):
      renameRemoval(node)
    default: break
    }
  }

  private func isSelf(_ argument: LabeledExprSyntax?) -> Bool {
    argument?.expression.trimmedDescription == "self"
  }

  /// Whether the call is one of a remote command, and not of a control on the screen.
  private func isCommand(_ node: FunctionCallExprSyntax) -> Bool {
    guard let base = node.calledExpression.as(MemberAccessExprSyntax.self)?.base else {
      return false
    }
    return base.trimmedDescription.hasSuffix("Command")
  }

  // MARK: - Observers

  private func portObserver(_ node: FunctionCallExprSyntax) {
    let arguments = Array(node.arguments)
    guard let target = owner(arguments[0]),
      let call = call(arguments[1], of: target.reference, passing: "notification")
    else { return }
    edits.replace(start(arguments[1])..<start(arguments[2]), with: "")
    let parameter = call.isPassing ? "notification" : "_"
    append(node, " { [\(target.capture)] \(parameter) in \(call.text) }")
    count(.notification)
  }

  /// The shim keeps observers by their owner; Foundation's form with a name takes tokens only.
  private func renameRemoval(_ node: FunctionCallExprSyntax) {
    guard let member = node.calledExpression.as(MemberAccessExprSyntax.self) else { return }
    edits.replace(range(member.declName), with: "removeObservers")
    let first = node.arguments.first
    if let first { edits.replace(start(first)..<start(first), with: "of: ") }
    count(.notification)
  }

  // MARK: - Timers

  private func portTimer(_ node: FunctionCallExprSyntax) {
    let arguments = Array(node.arguments)
    guard arguments[3].expression.is(NilLiteralExprSyntax.self) else {
      remark(arguments[3], "a timer's userInfo needs Objective-C; let the closure capture it")
      return
    }
    // A timer keeps its target alive, so the closure does, too.
    let target = arguments[1].expression.trimmedDescription
    guard let call = call(arguments[2], of: target + ".", passing: "timer") else { return }
    edits.replace(start(arguments[1])..<start(arguments[4]), with: "")
    let capture = target == "self" ? "[self] " : ""
    append(node, " { \(capture)\(call.isPassing ? "timer" : "_") in \(call.text) }")
    count(.timer)
  }

  // MARK: - Remote commands

  private func portTarget(_ node: FunctionCallExprSyntax) {
    let arguments = Array(node.arguments)
    guard let target = owner(arguments[0]),
      let call = call(arguments[1], of: target.reference, passing: "event"),
      let left = node.leftParen, let right = node.rightParen
    else { return }
    let parameter = call.isPassing ? "event" : "_"
    let body: String
    if let kind = call.kind, kind != "MPRemoteCommandEvent" {
      // A method that takes one kind of event hears of no other.
      let event = "guard let event = event as? \(kind) else { return .commandFailed }"
      let outcome =
        call.returns ? "return \(call.text) ?? .commandFailed" : "\(call.text); return .success"
      body = "\(event); \(outcome)"
    } else {
      body =
        call.returns
        ? "\(call.text) ?? .commandFailed"
        : "\(call.text); return .success"
    }
    edits.replace(
      left.positionAfterSkippingLeadingTrivia
        .utf8Offset..<right.endPositionBeforeTrailingTrivia.utf8Offset,
      with: " { [\(target.capture)] \(parameter) in \(body) }",
    )
    count(.remoteCommand)
  }

  /// Without selectors, all targets of a command go at once.
  private func removeTarget(_ node: FunctionCallExprSyntax) {
    guard let first = node.arguments.first, let last = node.arguments.last else { return }
    if let selector = last.expression.as(MacroExpansionExprSyntax.self) {
      ported.insert(selector.id)
    }
    edits.replace(
      start(first)..<last.endPositionBeforeTrailingTrivia.utf8Offset,
      with: "nil",
    )
    count(.remoteCommand)
  }

  // MARK: - Parts

  private func start(_ node: some SyntaxProtocol) -> Int {
    node.positionAfterSkippingLeadingTrivia.utf8Offset
  }

  /// Adds a closure behind a call.
  private func append(_ node: FunctionCallExprSyntax, _ text: String) {
    guard let right = node.rightParen else { return }
    let end = right.endPositionBeforeTrailingTrivia.utf8Offset
    edits.replace(end..<end, with: text)
  }

  /// The object that a selector is sent to, held weakly.
  private func owner(_ argument: LabeledExprSyntax) -> (capture: String, reference: String)? {
    let text = argument.expression.trimmedDescription
    guard argument.expression.is(DeclReferenceExprSyntax.self) else {
      remark(argument, "the target '\(text)' is no name; give it one before the call")
      return nil
    }
    return ("weak " + text, text + "?.")
  }

  /// The call that a selector means: its text, whether it passes a value and of which type, and whether it returns one.
  private func call(
    _ argument: LabeledExprSyntax,
    of reference: String,
    passing parameter: String,
  ) -> (text: String, isPassing: Bool, kind: String?, returns: Bool)? {
    guard let selector = argument.expression.as(MacroExpansionExprSyntax.self),
      selector.macroName.text == "selector", let meant = selector.arguments.first?.expression
    else {
      remark(argument, "a selector that is no '#selector(…)' cannot be rewritten")
      return nil
    }
    ported.insert(selector.id)
    let name =
      meant.as(MemberAccessExprSyntax.self)?.declName ?? meant.as(DeclReferenceExprSyntax.self)
    guard let name else {
      remark(selector, "'\(meant.trimmedDescription)' is no method that can be rewritten")
      return nil
    }
    let labels = name.argumentNames?.arguments.map(\.name.text)
    guard let handler = handlers.handler(name.baseName.text, labels: labels) else {
      remark(
        selector,
        "'\(meant.trimmedDescription)' means no single method of these files; call it in a closure"
      )
      return nil
    }
    guard let label = handler.labels.first else {
      return ("\(reference)\(name.baseName.text)()", false, nil, handler.returns)
    }
    let value = handler.types.first == "NSNotification" ? "NSNotification(\(parameter))" : parameter
    let passed = label == "_" ? value : "\(label): \(value)"
    // The type of a method of another module is not known.
    let kind = handler.types.first.flatMap { $0.isEmpty ? nil : $0 }
    return ("\(reference)\(name.baseName.text)(\(passed))", true, kind, handler.returns)
  }
}
