// SPDX-License-Identifier: MIT

/// Routes that are heard on other ones. [any-thread]
extension MixSpec {
  /// The cells with those of routes that are heard on another one.
  ///
  /// A cell keeps its tap: solo does not act on what a cue route hears, on whichever route that is heard.
  ///
  /// - Parameters:
  ///   - own: The cells of sends and cues, one at most for each place of the matrix.
  ///   - routePlaces: The place of each route in the spec, by its id.
  /// - Returns: The cells that are not silent, one for each place of the matrix.
  func withFallbacks(_ own: [MatrixCell], _ routePlaces: [String: Int]) -> [MatrixCell] {
    guard routes.contains(where: { $0.fallback != nil }) else { return own }
    var cells = own
    var indices = Dictionary(
      uniqueKeysWithValues: own.enumerated().map { (CellPlace($0.element), $0.offset) }
    )
    for cell in own {
      guard let target = routes[cell.route].fallback.flatMap({ routePlaces[$0] }) else { continue }
      for moved in moved(cell, to: target) {
        if let index = indices[CellPlace(moved)] {
          cells[index].coefficient += moved.coefficient
        } else {
          indices[CellPlace(moved)] = cells.count
          cells.append(moved)
        }
      }
    }
    return cells.filter { $0.coefficient != 0 }
  }

  /// The cells by which what a cell gives its route is heard on another route.
  private func moved(_ cell: MatrixCell, to target: Int) -> [MatrixCell] {
    let away = routes[cell.route]
    let gain = away.factors.reduce(cell.coefficient, *)
    let outputs = routes[target].channels
    return (0..<outputs).compactMap { output in
      let share = Self.defaultCoefficient(cell.output, of: away.channels, output, of: outputs)
      guard gain * share != 0 else { return nil }
      var moved = cell
      moved.route = target
      moved.output = output
      moved.coefficient = gain * share
      moved.isOfFallback = true
      return moved
    }
  }
}

/// The place of a cell in the matrix.
private struct CellPlace: Hashable {
  private let strip: Int
  private let route: Int
  private let input: Int
  private let output: Int
  private let tap: StripState.Tap

  init(_ cell: MatrixCell) {
    strip = cell.strip
    route = cell.route
    input = cell.input
    output = cell.output
    tap = cell.tap
  }
}
