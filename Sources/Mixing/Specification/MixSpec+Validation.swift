// SPDX-License-Identifier: MIT

extension MixSpec {
  /// Channels that a strip or route may have at most.
  public static let maximumChannels = 1024

  /// Checks names and values.
  ///
  /// - Throws: ``MixError`` for the first fault found.
  public func validate() throws(MixError) {
    try validateStrips()
    try validateRoutes()
    try validateFallbacks()
    try validateSends()
    try Self.check(crossfader.position, in: -1...1, "crossfader", "position", "")
  }

  private func validateStrips() throws(MixError) {
    var names: Set<String> = []
    for strip in strips {
      let place = "strip '\(strip.id)'"
      guard names.insert(strip.id).inserted else {
        throw MixError(.duplicate, "\(place): there is another of that name; names must differ")
      }
      try Self.checkChannels(strip.channels, place)
      try Self.checkGain(strip.faderDB, place, "fader")
      try Self.checkGain(strip.duckDB, place, "duck")
      if let pan = strip.pan { try Self.check(pan, in: -1...1, place, "pan", "") }
    }
  }

  private func validateRoutes() throws(MixError) {
    var names: Set<String> = []
    for route in routes {
      let place = "route '\(route.id)'"
      guard names.insert(route.id).inserted else {
        throw MixError(.duplicate, "\(place): there is another of that name; names must differ")
      }
      try Self.checkChannels(route.channels, place)
      try Self.checkGain(route.gainDB, place, "gain")
      try Self.checkGain(route.cueGainDB, place, "cue gain")
      if let limiter = route.limiter { try Self.checkLimiter(limiter, place) }
      try Self.check(Double(route.delayFrames), in: 0...5_000_000, place, "delay", " frames")
    }
  }

  private func validateFallbacks() throws(MixError) {
    let fallbacks = Dictionary(uniqueKeysWithValues: routes.map { ($0.id, $0.fallback) })
    for route in routes {
      guard let fallback = route.fallback else { continue }
      let place = "route '\(route.id)'"
      guard let next = fallbacks[fallback] else {
        throw MixError(.unknownRoute, "\(place): fallback: there is no route '\(fallback)'")
      }
      guard next == nil else {
        throw MixError(
          .fallbackChain,
          "\(place): fallback: '\(fallback)' has a fallback itself, allowed is a route without one",
        )
      }
    }
  }

  private func validateSends() throws(MixError) {
    var pairs: Set<[String]> = []
    let stripChannels = Dictionary(uniqueKeysWithValues: strips.map { ($0.id, $0.channels) })
    let routeChannels = Dictionary(uniqueKeysWithValues: routes.map { ($0.id, $0.channels) })
    for send in sends {
      let place = "send from '\(send.strip)' to '\(send.route)'"
      guard let columns = stripChannels[send.strip] else {
        throw MixError(.unknownStrip, "\(place): there is no strip '\(send.strip)'")
      }
      guard let rows = routeChannels[send.route] else {
        throw MixError(.unknownRoute, "\(place): there is no route '\(send.route)'")
      }
      guard pairs.insert([send.strip, send.route]).inserted else {
        throw MixError(.duplicate, "\(place): there is another; one send from a strip to a route")
      }
      try Self.checkGain(send.gainDB, place, "gain")
      if let pan = send.pan { try Self.check(pan, in: -1...1, place, "pan", "") }
      if let matrix = send.matrix {
        try Self.checkMatrix(matrix, rows: rows, columns: columns, place)
      }
    }
  }

  private static func checkMatrix(
    _ matrix: [[Float]],
    rows: Int,
    columns: Int,
    _ place: String,
  ) throws(MixError) {
    guard matrix.count == rows, matrix.allSatisfy({ $0.count == columns }) else {
      throw MixError(
        .matrixShape,
        "\(place): the matrix must have \(rows) rows (route channels) of \(columns) (strip channels)",
      )
    }
    for coefficient in matrix.joined() {
      try check(Double(coefficient), in: -16...16, place, "matrix coefficient", "")
    }
  }

  // MARK: Values

  static func checkGain(_ decibels: Double, _ place: String, _ name: String) throws(MixError) {
    guard decibels <= Decibels.maximumGainDB else {
      throw MixError(
        .valueOutOfRange,
        "\(place): \(name) is \(decibels) dB, allowed is −∞…\(Int(Decibels.maximumGainDB)) dB",
      )
    }
  }

  static func checkLimiter(_ limiter: LimiterSpec, _ place: String) throws(MixError) {
    try check(limiter.ceilingDB, in: -60...24, place, "limiter ceiling", " dB")
    try check(limiter.releaseSeconds, in: 0.001...10, place, "limiter release", " s")
    try check(Double(limiter.lookaheadFrames), in: 0...8192, place, "limiter look-ahead", " frames")
  }

  static func check(
    _ value: Double,
    in range: ClosedRange<Double>,
    _ place: String,
    _ name: String,
    _ unit: String,
  ) throws(MixError) {
    guard range.contains(value) else {
      throw MixError(
        .valueOutOfRange,
        "\(place): \(name) is \(value)\(unit), allowed is "
          + "\(range.lowerBound)…\(range.upperBound)\(unit)",
      )
    }
  }

  private static func checkChannels(_ channels: Int, _ place: String) throws(MixError) {
    guard (1...maximumChannels).contains(channels) else {
      throw MixError(
        .valueOutOfRange,
        "\(place): \(channels) channels, allowed is 1…\(maximumChannels)",
      )
    }
  }
}
