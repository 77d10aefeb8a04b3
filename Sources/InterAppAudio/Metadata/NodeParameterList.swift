// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import JACK

/// The parameters of a node as text in the metadata: a JSON list; docs/nodes.md describes it.
///
/// Pure functions: [any-thread].
enum NodeParameterList {
  /// The greatest length of the list in bytes.
  static let lengthLimit = 65_536

  /// One parameter of the list; other keys are ignored.
  private struct Entry: Codable {
    var name: String
    var type: String
    var minimum: Double?
    var maximum: Double?
    var unit: String?
    var taper: String?
    var description: String?
    var value: Double
  }

  /// The list as a node publishes it.
  static func text(_ parameters: [NodeParameter]) -> String {
    let entries = parameters.map { parameter in
      let isNumber = parameter.kind == .number
      return Entry(
        name: parameter.name,
        type: parameter.kind.rawValue,
        minimum: isNumber ? parameter.range.lowerBound : nil,
        maximum: isNumber ? parameter.range.upperBound : nil,
        unit: parameter.unit,
        taper: isNumber ? parameter.taper.rawValue : nil,
        description: parameter.description,
        value: parameter.value,
      )
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers that were checked can always be written.
    let data = (try? encoder.encode(entries)) ?? Data("[]".utf8)
    return String(decoding: data, as: UTF8.self)
  }

  /// Reads a list, whole or not at all.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidProperty` with the place, the fault and what is allowed.
  static func parameters(_ text: String) throws(InterAppAudioError) -> [NodeParameter] {
    guard text.utf8.count <= lengthLimit else {
      throw NodeParameter.fault(
        "the list",
        "it has \(text.utf8.count) bytes",
        "\(lengthLimit)",
      )
    }
    let entries: [Entry]
    do {
      entries = try JSONDecoder().decode([Entry].self, from: Data(text.utf8))
    } catch {
      throw NodeParameter.fault(
        "the list",
        "it cannot be read",
        "a JSON list of objects with name, type and value",
      )
    }
    var parameters: [NodeParameter] = []
    for entry in entries { parameters.append(try parameter(entry)) }
    try NodeParameter.check(parameters)
    return parameters
  }

  private static func parameter(_ entry: Entry) throws(InterAppAudioError) -> NodeParameter {
    let name = entry.name
    try NodeParameter.check(name: name)
    guard let kind = NodeParameter.Kind(rawValue: entry.type) else {
      throw NodeParameter.fault(name, "the type is not known", "number, flag")
    }
    guard let taper = NodeParameter.Taper(rawValue: entry.taper ?? "linear") else {
      throw NodeParameter.fault(name, "the taper is not known", "linear, logarithmic")
    }
    let (lowest, highest) = kind == .flag ? (0, 1) : (entry.minimum, entry.maximum)
    guard let lowest, let highest, lowest < highest else {
      throw NodeParameter.fault(name, "it has no range", "a minimum below a maximum")
    }
    var parameter = NodeParameter(
      name,
      range: lowest...highest,
      unit: entry.unit,
      taper: taper,
      description: entry.description ?? "",
      value: entry.value,
    )
    parameter.kind = kind
    return parameter
  }

  /// The text of a value.
  static func text(_ value: Double) -> String { "\(value)" }

  /// Reads a value of a parameter; nil for one that it cannot have.
  static func value(_ text: String, of parameter: NodeParameter) -> Double? {
    guard text.utf8.count <= 32, let value = Double(text), parameter.allows(value) else {
      return nil
    }
    return value
  }
}

extension [NodeParameter] {
  /// The parameters with the present values that stand in the metadata of their client. [any-thread]
  func presentValues(in metadata: [MetadataKey: MetadataValue]) -> [NodeParameter] {
    map { parameter in
      var parameter = parameter
      if let text = metadata[NodeMetadata.parameter(parameter.name)]?.text,
        let value = NodeParameterList.value(text, of: parameter)
      {
        parameter.value = value
      }
      return parameter
    }
  }
}
