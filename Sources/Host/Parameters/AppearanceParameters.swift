// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

/// The label and the colour that the graph file gives a strip or a route.
///
/// Pure value: [any-thread].
struct Appearance: Sendable, Equatable {
  /// The name for people; empty where the graph has none.
  var label = ""
  /// `#rrggbb`; empty where the graph has none.
  var color = ""

  init(label: String?, color: GraphColor?) {
    self.label = label ?? ""
    self.color = color?.hex ?? ""
  }

  /// Those of all sources and routes of a graph; no source has the name of a route.
  static func all(of graph: GraphFile) -> [String: Appearance] {
    let sources = graph.sources.map { ($0.name, Appearance(label: $0.label, color: $0.color)) }
    let routes = graph.routes.map { ($0.name, Appearance(label: $0.label, color: $0.color)) }
    return Dictionary(sources + routes) { first, _ in first }
  }
}

/// The names and colours that surfaces with a display show. [any-thread]
extension ParameterKind {
  /// The labels and colours of strips and routes, which can only be read.
  static let ofAppearance: [ParameterKind] = [
    appearance("/strip/*/label", "the name for people; empty where the graph has none", \.label),
    appearance("/route/*/label", "the name for people; empty where the graph has none", \.label),
    appearance("/strip/*/color", "the colour as #rrggbb; empty where the graph has none", \.color),
    appearance("/route/*/color", "the colour as #rrggbb; empty where the graph has none", \.color),
  ]

  private static func appearance(
    _ template: String,
    _ description: String,
    _ text: @escaping @Sendable (Appearance) -> String,
  ) -> ParameterKind {
    ParameterKind(
      template: template,
      type: .text,
      description: description,
      instances: { snapshot in
        let names =
          template.hasPrefix("/strip/")
          ? snapshot.status.strips.map(\.id) : snapshot.outputs.map(\.name)
        return names.map {
          Instance($0, value: .text(snapshot.appearances[$0].map(text) ?? ""))
        }
      },
    )
  }
}
