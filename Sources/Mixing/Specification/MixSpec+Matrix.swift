// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#endif

/// A cell of the whole matrix that is not silent, by the places of strip and route in the spec.
struct MatrixCell: Equatable {
  var strip: Int
  var route: Int
  /// Channel of the strip.
  var input: Int
  /// Channel of the route.
  var output: Int
  var tap: StripState.Tap
  /// Gain of the send × pan × coefficient of its matrix, linear; with what routes add that are heard on this one.
  var coefficient: Float
  /// Whether only other routes are heard here, and no send or cue of the route itself.
  var isOfFallback = false
}

extension MixSpec {
  /// All cells that can be audible, without the faders of strips, and of routes that are heard on themselves.
  ///
  /// The spec must be valid.
  var matrixCells: [MatrixCell] {
    let stripPlaces = Dictionary(
      uniqueKeysWithValues: strips.enumerated().map { ($0.element.id, $0.offset) }
    )
    let routePlaces = Dictionary(
      uniqueKeysWithValues: routes.enumerated().map { ($0.element.id, $0.offset) }
    )
    var cells: [MatrixCell] = []
    for send in sends where !send.isMuted {
      guard let strip = stripPlaces[send.strip], let route = routePlaces[send.route] else {
        continue
      }
      appendCells(of: send, strip: strip, route: route, to: &cells)
    }
    for strip in strips.indices where strips[strip].isCued {
      for route in routes.indices where routes[route].receivesCue {
        appendCue(strip: strip, route: route, to: &cells)
      }
    }
    return withFallbacks(cells, routePlaces)
  }

  private func appendCells(
    of send: SendSpec,
    strip: Int,
    route: Int,
    to cells: inout [MatrixCell],
  ) {
    let gain = Decibels.linear(fromDB: send.gainDB)
    guard gain > 0 else { return }
    let source = strips[strip]
    let target = routes[route]
    for output in 0..<target.channels {
      for input in 0..<source.channels {
        let coefficient = send.coefficient(input, of: source, output, of: target)
        guard coefficient != 0 else { continue }
        cells.append(
          MatrixCell(
            strip: strip,
            route: route,
            input: input,
            output: output,
            tap: Self.tap(isPreFader: send.isPreFader, isCueRoute: target.receivesCue),
            coefficient: gain * coefficient,
          )
        )
      }
    }
  }

  private func appendCue(strip: Int, route: Int, to cells: inout [MatrixCell]) {
    let gain = Decibels.linear(fromDB: routes[route].cueGainDB)
    guard gain > 0 else { return }
    let inputs = strips[strip].channels
    let outputs = routes[route].channels
    for output in 0..<outputs {
      for input in 0..<inputs {
        let coefficient = Self.defaultCoefficient(input, of: inputs, output, of: outputs)
        guard coefficient != 0 else { continue }
        cells.append(
          MatrixCell(
            strip: strip,
            route: route,
            input: input,
            output: output,
            tap: .cue,
            coefficient: gain * coefficient,
          )
        )
      }
    }
  }

  private static func tap(isPreFader: Bool, isCueRoute: Bool) -> StripState.Tap {
    switch (isPreFader, isCueRoute) {
    case (false, false): .postFader
    case (false, true): .postFaderOnCueRoute
    case (true, false): .preFader
    case (true, true): .preFaderOnCueRoute
    }
  }

  /// The default matrix; see ``SendSpec/matrix``.
  static func defaultCoefficient(
    _ input: Int,
    of inputs: Int,
    _ output: Int,
    of outputs: Int,
  ) -> Float {
    if inputs == 1 { return 1 }
    if outputs == 1 { return 1 / Float(inputs) }
    return input == output ? 1 : 0
  }

  /// The law of pan and balance; see ``StripSpec/pan``.
  static func panGain(
    _ pan: Double?,
    stripChannels: Int,
    routeChannels: Int,
    output: Int,
  ) -> Float {
    guard let pan, routeChannels == 2, stripChannels <= 2 else { return 1 }
    // The far side is exact silence, which cos(π/2) is not.
    if output == (pan < 0 ? 1 : 0), abs(pan) == 1 { return 0 }
    let angle = (pan + 1) * .pi / 4
    let gain = output == 0 ? cos(angle) : sin(angle)
    return Float(stripChannels == 1 ? gain : min(1, gain * 2.0.squareRoot()))
  }

  /// The values of a strip's factors, in the order of ``StripState/Factor``.
  func factors(ofStrip strip: StripSpec, isAnySoloed: Bool) -> [Float] {
    [
      Decibels.linear(fromDB: strip.faderDB),
      strip.isMuted ? 0 : 1,
      isAnySoloed && !strip.isSoloed ? 0 : 1,
      strip.isGated ? 0 : 1,
      Decibels.linear(fromDB: strip.duckDB),
      crossfader.gainLinear(side: strip.crossfaderSide),
    ]
  }

  /// Whether any strip is soloed, so that the others are not heard.
  var isAnySoloed: Bool { strips.contains(where: \.isSoloed) }
}

extension SendSpec {
  /// The coefficient from a channel of its strip to a channel of its route: of its own matrix, else the default with the pan.
  func coefficient(
    _ input: Int,
    of strip: StripSpec,
    _ output: Int,
    of route: RouteSpec,
  ) -> Float {
    if let matrix { return matrix[output][input] }
    return MixSpec.defaultCoefficient(input, of: strip.channels, output, of: route.channels)
      * MixSpec.panGain(
        pan ?? strip.pan,
        stripChannels: strip.channels,
        routeChannels: route.channels,
        output: output,
      )
  }
}

extension RouteSpec {
  /// The values of the route's factors, in the order of ``RouteState/Factor``.
  var factors: [Float] { [Decibels.linear(fromDB: gainDB), isMuted ? 0 : 1] }
}
