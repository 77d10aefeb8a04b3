// SPDX-License-Identifier: MIT

internal import GraphFiles

/// Ports as graph files write them, and as regular expressions of other programs. [any-thread]
enum PortText {
  private static let special = Set(#".[](){}^$|\*+?"#)

  /// A port by its name: a name that looks like a pattern becomes a pattern for just this name.
  static func name(_ name: String) -> String {
    let isPlain = !name.hasPrefix("/") && !name.contains("\\")
    return isPlain ? name : "/\(PortPattern.literal(name))/"
  }

  /// A port whose client and short name match two expressions.
  static func pattern(client: String, port: String) -> String {
    if let client = literal(client), let port = literal(port), !client.contains(":") {
      return name("\(client):\(port)")
    }
    return "/\(grouped(client)):\(grouped(port))/"
  }

  /// The text that an expression stands for, if it stands for one only.
  static func literal(_ expression: String) -> String? {
    var text = ""
    var rest = expression[...]
    while let character = rest.popFirst() {
      guard special.contains(character) else {
        text.append(character)
        continue
      }
      // An escaped letter or digit stands for more than itself.
      guard character == "\\", let next = rest.popFirst(), !next.isLetter, !next.isNumber else {
        return nil
      }
      text.append(next)
    }
    return text
  }

  private static func grouped(_ expression: String) -> String {
    hasAlternatives(expression) ? "(\(expression))" : expression
  }

  /// Whether an expression has alternatives that are in no group.
  private static func hasAlternatives(_ expression: String) -> Bool {
    var depth = 0
    var isEscaped = false
    for character in expression {
      if isEscaped {
        isEscaped = false
        continue
      }
      switch character {
      case "\\": isEscaped = true
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "|" where depth <= 0: return true
      default: break
      }
    }
    return false
  }

  /// An expression for a client and one for a short name; nil for a pattern that does not say where the client ends.
  static func parts(of selector: PortSelector) -> (client: String, port: String)? {
    switch selector {
    case .name(let name):
      guard let colon = name.firstIndex(of: ":") else { return nil }
      return (
        PortPattern.literal(String(name[..<colon])),
        PortPattern.literal(String(name[name.index(after: colon)...]))
      )
    case .pattern(let pattern): return parts(of: pattern.expression)
    }
  }

  /// Divides an expression at its only colon, which is in no brackets and no group.
  private static func parts(of expression: String) -> (client: String, port: String)? {
    var depth = 0
    var isEscaped = false
    var colon: String.Index?
    for index in expression.indices {
      let character = expression[index]
      if isEscaped {
        isEscaped = false
        continue
      }
      switch character {
      case "\\": isEscaped = true
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case ":" where depth == 0 && colon == nil: colon = index
      case "|" where depth == 0: return nil
      default: break
      }
    }
    guard let colon, depth == 0 else { return nil }
    return (String(expression[..<colon]), String(expression[expression.index(after: colon)...]))
  }
}
