// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket
import Sessions

/// The words of a command about the mix: its target, and the values after it.
///
/// The parser leaves all words to this group that it does not know, because `-6dB` begins as an option does.
///
/// Pure value: [any-thread].
struct MixTargetArguments: ParsableArguments {
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "The target: a strip, a route, or a strip and a route for the send between them; then the value.",
      valueName: "target",
    ),
    completion: LiveNames.targets,
  )
  var words: [String] = []

  // The spelling of version 0.2.
  @Option(help: .hidden) var strip: String?
  @Option(help: .hidden) var route: String?

  func validate() throws {
    if let option = words.first(where: Self.isOption) {
      throw ValidationError("there is no option '\(option)'")
    }
  }

  /// The target, and the `values` words after it.
  ///
  /// - Throws: A usage error when the target is missing, or given twice.
  func parts(values: Int) throws -> (target: NamedTarget, values: [String]) {
    let last = Array(words.suffix(values))
    let names = Array(words.dropLast(last.count))
    if let target = MixTarget(strip: strip, route: route) {
      guard names.isEmpty else { throw ValidationError("the target is given twice: \(names[0])") }
      return (.known(target), last)
    }
    switch names.count {
    case 1: return (.named(names[0]), last)
    case 2: return (.known(.send(strip: names[0], route: names[1])), last)
    case 0:
      throw ValidationError(
        "the target is missing: name a strip, a route, or both for the send between them"
      )
    default:
      throw ValidationError("too many words: \(words.joined(separator: " "))")
    }
  }

  /// Whether a word begins as an option does, and is neither a negative number nor `-inf`.
  static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let first = word.dropFirst().first else { return false }
    return !first.isNumber && first != "." && !word.hasPrefix("-inf")
  }
}

/// The target of a command, as the command line names it.
///
/// Pure value: [any-thread].
enum NamedTarget: Equatable {
  case known(MixTarget)
  /// A strip or a route: the host knows which.
  case named(String)

  /// Asks the host what the name stands for.
  ///
  /// A strip and a route of one graph have different names. Should a session's strip have the name of a route,
  /// `strip:NAME` and `route:NAME` tell them apart.
  ///
  /// - Throws: Status 65 with the known names, or with both meanings.
  func target(_ client: ControlClient) async throws -> MixTarget {
    guard case .named(let name) = self else {
      guard case .known(let target) = self else { throw ExitCode.software }
      return target
    }
    // The usual answer takes two small questions; the whole status takes as long as the rest of the command.
    let hasStrip = try await Self.hasGain(["strip", name], client)
    let hasRoute = try await Self.hasGain(["route", name], client)
    if hasStrip != hasRoute { return hasStrip ? .strip(name) : .route(name) }
    let status = try await client.call(GetStatus.self)
    let strips = status.strips.map(\.id)
    let routes = status.routes.filter { $0.direction == .output }.map(\.name)
    let strip = Spelling.name(name, among: strips)
    let route = Spelling.name(name, among: routes)
    switch (strip, route) {
    case (let strip?, nil): return .strip(strip)
    case (nil, let route?): return .route(route)
    case (let strip?, let route?):
      if strip == name, route != name { return .strip(strip) }
      if route == name, strip != name { return .route(route) }
      Terminal.complain(
        "error: '\(name)' is a strip and a route; write strip:\(strip) or route:\(route)"
      )
      throw ExitCode.badData
    case (nil, nil):
      if let strip = Self.rest(of: name, after: "strip:") { return .strip(strip) }
      if let route = Self.rest(of: name, after: "route:") { return .route(route) }
      Terminal.complain(
        "error: there is no strip or route '\(name)'"
          + Spelling.suggestion(for: name, among: strips + routes)
          + "; strips: \(Self.list(strips)); routes: \(Self.list(routes))"
      )
      throw ExitCode.badData
    }
  }

  private static func hasGain(_ branch: [String], _ client: ControlClient) async throws -> Bool {
    do throws(ControlClientError) {
      let path = ParameterPath.path(branch + ["gain"])
      _ = try await client.call(GetParameters.self, GetParameters.Params(paths: [path]))
      return true
    } catch {
      guard case .refused = error.code else { throw error }
      return false
    }
  }

  private static func rest(of name: String, after prefix: String) -> String? {
    name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}

/// A target and its new gain: `deck-a -6dB`, or `--strip deck-a --to -6` as in version 0.2.
///
/// Pure value: [any-thread].
struct GainArguments: ParsableArguments {
  static let usage = "<target> <gain>"

  @OptionGroup var words: MixTargetArguments
  @Option(
    name: .customLong("to"),
    parsing: .unconditional,
    help: .hidden,
    transform: QuantityArgument.gainDB,
  )
  var oldGainDB: Double?

  func validate() throws { _ = try parts }

  /// The target and the gain in dB.
  var parts: (target: NamedTarget, gainDB: Double) {
    get throws {
      if let oldGainDB { return (try words.parts(values: 0).target, oldGainDB) }
      guard let value = words.words.last else {
        throw ValidationError("the gain is missing, such as -6dB, or -inf for silence")
      }
      let gainDB = try QuantityArgument.gainDB(value)
      return (try words.parts(values: 1).target, gainDB)
    }
  }
}

/// One number after the names of a command, in words that may begin with a dash.
///
/// Pure value: [any-thread].
struct TrailingValue: ParsableArguments {
  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The value.", valueName: "value"))
  var words: [String] = []
  @Option(name: .customLong("to"), parsing: .unconditional, help: .hidden) var old: String?

  func validate() throws {
    if let option = words.first(where: MixTargetArguments.isOption) {
      throw ValidationError("there is no option '\(option)'")
    }
    _ = try text
  }

  /// The value as written.
  var text: String {
    get throws {
      let all = words + [old].compactMap { $0 }
      guard let value = all.first else { throw ValidationError("the value is missing") }
      guard all.count == 1 else {
        throw ValidationError("too many words: \(all.joined(separator: " "))")
      }
      return value
    }
  }
}
