// SPDX-License-Identifier: MIT

internal import SwiftParser
internal import SwiftSyntax

/// The methods of an app's sources that selectors can mean.
///
/// Pure value: [any-thread].
public struct Handlers: Sendable {
  /// A method with no parameter or one.
  struct Handler: Hashable, Sendable {
    /// The labels of its parameters, `_` for none.
    var labels: [String]
    /// The types of its parameters.
    var types: [String]
    /// Whether it returns something.
    var returns: Bool
  }

  private var handlers: [String: Set<Handler>] = [:]

  /// Starts without methods.
  public init() {}

  /// Adds the methods of a file.
  public mutating func add(_ source: String) {
    let collector = Collector(viewMode: .sourceAccurate)
    collector.walk(Parser.parse(source: source))
    for (name, handler) in collector.found { handlers[name, default: []].insert(handler) }
  }

  /// The method that a selector means: its base name, and its labels where the selector has some.
  ///
  /// - Returns: nil where there are several, or none and the selector has no labels.
  func handler(_ name: String, labels: [String]?) -> Handler? {
    let all = (handlers[name] ?? []).filter { labels == nil || $0.labels == labels }
    if all.count == 1 { return all.first }
    guard all.isEmpty, let labels, labels.count <= 1 else { return nil }
    // A method of another module: it has the selector's labels.
    return Handler(labels: labels, types: labels.map { _ in "" }, returns: true)
  }

  private final class Collector: SyntaxVisitor {
    var found: [(String, Handler)] = []

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
      let parameters = node.signature.parameterClause.parameters
      guard parameters.count <= 1 else { return .visitChildren }
      let returned = node.signature.returnClause?.type.trimmedDescription
      found.append(
        (
          node.name.text,
          Handler(
            labels: parameters.map(\.firstName.text),
            types: parameters.map { $0.type.trimmedDescription },
            returns: returned != nil && returned != "Void" && returned != "()",
          )
        )
      )
      return .visitChildren
    }
  }
}
