// SPDX-License-Identifier: MIT

internal import OSC

/// All nodes of an XR18: groups of values under one address, in the order of its saved scenes.
///
/// Pure values: [any-thread].
enum XAirModel {
  /// The fields of each node.
  static let nodes: [String: [XAirField]] = {
    var nodes = sections
    for number in 1...16 { nodes.merge(channel("/ch/\(two(number))", number)) { $1 } }
    for name in ["aux", "1", "2", "3", "4"] { nodes.merge(fxReturn("/rtn/\(name)")) { $1 } }
    for number in 1...6 { nodes.merge(bus("/bus/\(number)")) { $1 } }
    nodes.merge(mainMix("/lr")) { $1 }
    for number in 1...4 {
      nodes["/fxsend/\(number)/config"] = [.text("name"), .color(4)]
      nodes["/fxsend/\(number)/mix"] = [.switched("on", true), .level("fader", gainDB: 0)]
      nodes["/fxsend/\(number)/grp"] = groups
      nodes["/dca/\(number)"] = [.switched("on", true), .level("fader", gainDB: 0)]
      nodes["/dca/\(number)/config"] = [.text("name"), .color(8)]
      nodes["/fx/\(number)"] = [.words("type", effects), .switched("insert")]
      nodes["/fx/\(number)/par"] = (1...64).map { .number(two($0), 0...1_000_000) }
    }
    for number in 1...24 {
      nodes["/headamp/\(two(number))"] = [
        .linear("gain", -12...60, 0, .signedTenths), .switched("phantom"),
      ]
    }
    return nodes
  }()

  /// The field behind an address; nil for an address that the mixer lacks.
  static func field(_ path: String) -> XAirField? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let name = path[path.index(after: slash)...]
    return nodes[String(path[..<slash])]?.first { $0.name == name }
  }

  /// A number with two digits.
  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  // MARK: - Strips

  private static func channel(_ path: String, _ number: Int) -> [String: [XAirField]] {
    var nodes = mix(path, with: [.switched("lr"), .pan()]).merging(equalizer(path, 4)) { $1 }
    nodes[path + "/config"] = [
      .text("name"), .color(0), .words("insrc", inputs, Int32(number)),
      .words("rtnsrc", numbered("U", 1...18), Int32(number - 1)),
    ]
    nodes[path + "/preamp"] = [
      .linear("rtntrim", -18...18, 0, .signedTenths), .switched("rtnsw"), .switched("invert"),
      .switched("hpon"), .logarithmic("hpf", 20, 400, 100, .whole),
    ]
    nodes[path + "/gate"] = [
      .switched("on"), .words("mode", ["GATE", "EXP2", "EXP3", "EXP4", "DUCK"]),
      .linear("thr", -80...0, -80, .tenths), .linear("range", 3...60, 60, .tenths),
      .linear("attack", 0...120, 1, .whole), hold(502), release(983), .words("keysrc", keys),
    ]
    nodes[path + "/gate/filter"] = filter
    nodes[path + "/dyn"] = dynamics(hasKey: true)
    nodes[path + "/dyn/filter"] = filter
    nodes[path + "/insert"] = insert
    nodes[path + "/eq"] = [.switched("on", true)]
    nodes[path + "/grp"] = groups
    nodes[path + "/automix"] = [
      .words("group", ["OFF", "X", "Y"]),
      .linear("weight", -12...12, 0, XAirNumberText(decimals: 1, isSigned: true, width: 5)),
    ]
    return nodes.merging(sends(path)) { $1 }
  }

  private static func fxReturn(_ path: String) -> [String: [XAirField]] {
    var nodes = mix(path, with: [.switched("lr", true), .pan()]).merging(equalizer(path, 4)) { $1 }
    nodes[path + "/config"] = [.text("name"), .color(2), .words("rtnsrc", pairs)]
    nodes[path + "/preamp"] = [
      .linear("rtntrim", -18...18, 0, .signedTenths), .switched("rtnsw"),
    ]
    nodes[path + "/eq"] = [.switched("on", true)]
    nodes[path + "/grp"] = groups
    return nodes.merging(sends(path)) { $1 }
  }

  private static func bus(_ path: String) -> [String: [XAirField]] {
    var nodes = mix(path, with: [.switched("lr"), .pan()]).merging(equalizer(path, 6)) { $1 }
    nodes[path + "/config"] = [.text("name"), .color(3)]
    nodes[path + "/dyn"] = dynamics(hasKey: true)
    nodes[path + "/dyn/filter"] = filter
    nodes[path + "/insert"] = insert
    nodes[path + "/eq"] = [.switched("on", true), .words("mode", ["PEQ", "GEQ", "TEQ"])]
    nodes[path + "/geq"] = bands.map { .linear($0, -15...15, 0, .tenths) }
    nodes[path + "/grp"] = groups
    return nodes
  }

  private static func mainMix(_ path: String) -> [String: [XAirField]] {
    var nodes = bus(path)
    nodes[path + "/config"] = [.text("name"), .color(6)]
    nodes[path + "/dyn"] = dynamics(hasKey: false)
    nodes[path + "/mix"] = [.switched("on"), .level("fader"), .pan()]
    nodes[path + "/grp"] = nil
    return nodes
  }

  /// The fader and the switch that mutes; silent, because a strip that the host lacks is.
  private static func mix(_ path: String, with more: [XAirField]) -> [String: [XAirField]] {
    [path + "/mix": [.switched("on"), .level("fader")] + more]
  }

  private static func sends(_ path: String) -> [String: [XAirField]] {
    let taps = ["IN", "PREEQ", "POSTEQ", "PRE", "POST", "GRP"]
    let nodes = (1...10).map { number -> (String, [XAirField]) in
      var fields: [XAirField] = [.level("level"), .switched("grpon"), .words("tap", taps, 4)]
      // Pairs of busses share the pan of the first one.
      if number < 7, !number.isMultiple(of: 2) { fields.append(.pan()) }
      return ("\(path)/mix/\(two(number))", fields)
    }
    return Dictionary(uniqueKeysWithValues: nodes)
  }

  // MARK: - Parts of strips

  private static let groups: [XAirField] = [.bits("dca"), .bits("mute")]
  private static let insert: [XAirField] = [
    .switched("on"),
    .words("fxslot", ["OFF"] + (1...4).flatMap { ["Fx\($0)A", "Fx\($0)B"] }),
  ]
  private static let filter: [XAirField] = [
    .switched("on"),
    .words("type", ["LC6", "LC12", "HC6", "HC12", "1.0", "2.0", "3.0", "5.0", "10.0"], 6),
    .frequency(990.9),
  ]

  private static func equalizer(_ path: String, _ count: Int) -> [String: [XAirField]] {
    let types = ["LCut", "LShv", "PEQ", "VEQ", "HShv", "HCut"]
    let frequencies =
      count == 4 ? [124.7, 496.6, 1_970, 10_020] : [79.6, 224.4, 496.6, 2_040, 5_020, 10_020]
    let nodes = (1...count).map { number -> (String, [XAirField]) in
      let type: Int32 = number == count ? 4 : count == 6 && number == 1 ? 1 : 2
      let fields: [XAirField] = [
        .words("type", types, type), .frequency(frequencies[number - 1]),
        .linear("g", -15...15, 0, XAirNumberText(decimals: 2, isSigned: true)),
        .logarithmic("q", 10, 0.3, 2, .tenths),
      ]
      return ("\(path)/eq/\(number)", fields)
    }
    return Dictionary(uniqueKeysWithValues: nodes)
  }

  private static func dynamics(hasKey: Bool) -> [XAirField] {
    let ratios = ["1.1", "1.3", "1.5", "2.0", "2.5", "3.0", "4.0", "5.0", "7.0", "10", "20", "100"]
    var fields: [XAirField] = [
      .switched("on"), .words("mode", ["COMP", "EXP"]), .words("det", ["PEAK", "RMS"]),
      .words("env", ["LIN", "LOG"], 1), .linear("thr", -60...0, 0, .tenths),
      .words("ratio", ratios, 5), .linear("knee", 0...5, 1, .whole),
      .linear("mgain", 0...24, 0, XAirNumberText(decimals: 2)),
      .linear("attack", 0...120, 10, .whole), hold(10), release(151),
      .linear("mix", 0...100, 100, .whole),
    ]
    if hasKey { fields.append(.words("keysrc", keys)) }
    fields.append(.switched("auto"))
    return fields
  }

  private static func hold(_ value: Double) -> XAirField {
    .logarithmic("hold", 0.02, 2_000, value, XAirNumberText(decimals: 2, width: 4, isShort: true))
  }

  private static func release(_ value: Double) -> XAirField {
    .logarithmic("release", 5, 4_000, value, .whole)
  }

  // MARK: - Words

  private static func numbered(_ prefix: String, _ range: ClosedRange<Int>) -> [String] {
    range.map { prefix + two($0) }
  }

  private static let inputs = ["OFF"] + numbered("In", 1...16)
  private static let keys = ["SELF"] + numbered("Ch", 1...16) + (1...6).map { "Bus\($0)" }
  private static let bands =
    "20 25 31.5 40 50 63 80 100 125 160 200 250 315 400 500 630 800 1k 1k25 1k6 2k 2k5 3k15 4k 5k 6k3 8k 10k 12k5 16k 20k"
    .split(separator: " ").map(String.init)
  private static let effects =
    """
    HALL AMBI RPLT ROOM CHAM PLAT VREV VRM GATE RVRS DLY 3TAP 4TAP CRS FLNG PHAS DIMC FILT ROTA PAN SUB D/RV CR/R FL/R D/CR \
    D/FL MODD GEQ2 GEQ TEQ2 TEQ DES2 DES P1A P1A2 PQ5 PQ5S WAVD LIM CMB CMB2 FAC FAC1M FAC2 LEC LEC2 ULC ULC2 ENH2 ENH EXC2 \
    EXC IMG EDI SON AMP2 AMP DRV2 DRV PIT2 PIT
    """
    .split(separator: " ").map(String.init)
}
