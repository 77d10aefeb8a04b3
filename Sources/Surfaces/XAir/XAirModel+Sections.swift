// SPDX-License-Identifier: MIT

internal import OSC

/// The nodes that belong to the whole mixer. [any-thread]
extension XAirModel {
  static let sections: [String: [XAirField]] = {
    var nodes = configuration.merging(state) { $1 }
    nodes["/routing/main/01"] = [.words("src", mains)]
    nodes["/routing/main/02"] = [.words("src", mains, 1)]
    for number in 1...18 {
      let own = Int32(number - 1)
      if number <= 6 {
        nodes["/routing/aux/\(two(number))"] = [
          .words("src", sources, 26 + own), .words("pos", positions, 10),
        ]
      }
      if number <= 16 {
        nodes["/routing/p16/\(two(number))"] = [
          .words("src", sources, own), .words("pos", positions, 3),
        ]
      }
      nodes["/routing/usb/\(two(number))"] = [
        .words("src", Array(sources.prefix(38)), own), .words("pos", positions),
      ]
    }
    return nodes
  }()

  private static let configuration: [String: [XAirField]] = {
    var nodes: [String: [XAirField]] = [:]
    let switches: [(String, [String])] = [
      ("chlink", ["1-2", "3-4", "5-6", "7-8", "9-10", "11-12", "13-14", "15-16"]),
      ("buslink", ["1-2", "3-4", "5-6"]), ("amixenable", ["X", "Y"]), ("amixlock", ["X", "Y"]),
      ("mute", ["1", "2", "3", "4"]),
    ]
    for (name, fields) in switches {
      nodes["/config/\(name)"] = fields.map { XAirField.switched($0) }
    }
    nodes["/config/linkcfg"] = ["preamp", "eq", "dyn", "fdrmute"].map {
      XAirField.switched($0, true)
    }
    nodes["/config/solo"] = [
      .level("level", gainDB: 0), .words("source", solos, 3),
      .linear("sourcetrim", -18...12, 0, .tenths), .words("chmode", ["PFL", "AFL"]),
      .words("busmode", ["PFL", "AFL"]), .linear("dimatt", -40...0, -20, .whole),
      .switched("dim"), .switched("mono"), .switched("mute"), .switched("dimpfl"),
    ]
    return nodes
  }()

  private static let state: [String: [XAirField]] = {
    var nodes: [String: [XAirField]] = [:]
    nodes["/-prefs"] = [
      .text("name"), .words("clockrate", ["48K", "44K1"]), .switched("dcamute"),
      .switched("hardmute"), .number("midiconfig", 0...127), .switched("ponmute"),
      .words("usbifcmode", ["18x18", "2x2"]), .switched("playnext"),
    ]
    nodes["/-prefs/lan"] = [.words("mode", ["STATIC", "DHCP", "DHCPS"], 1)]
    nodes["/-prefs/is"] = [
      .words("mode", ["DHCP", "STATIC"]), .text("ssid"),
      .words("security", ["OPEN", "WEP", "WPA", "WPA2"]), .text("key"),
    ]
    nodes["/-prefs/ap"] = [
      .text("ssid"), .number("channel", 1...11, 1), .words("security", ["OPEN", "WEP"]),
      .text("key"),
    ]
    nodes["/-prefs/rta"] = [
      .linear("decay", 0...1, 0.5, XAirNumberText(decimals: 2)),
      .words("det", ["PEAK", "RMS"]),
    ]
    nodes["/-snap"] = [.number("index", 1...64, 1), .text("name")]
    nodes["/-stat"] = [
      .switched("autosave"), .number("keysolo", 0...39), .number("netmode", 0...2),
      .switched("solo"), .switched("usbmounted"),
    ]
    nodes["/-stat/rta"] = [.number("source", 0...32), .words("pos", ["PRE", "POST"])]
    nodes["/-stat/solosw"] = (1...54).map { XAirField.switched(two($0)) }
    nodes["/-stat/tape"] = [
      .words("state", ["STOP", "PPAUSE", "PLAY", "RPAUSE", "REC", "FF", "REW"]),
      .text("file"), .number("etime", 0...35_999), .number("rtime", -1_000...35_999),
    ]
    for number in 1...64 { nodes["/-snap/\(two(number))"] = [.text("name")] }
    for network in ["lan", "is"] {
      for part in ["addr", "mask", "gateway"] {
        nodes["/-prefs/\(network)/\(part)"] = (0...3).map { XAirField.number("\($0)", 0...255) }
      }
    }
    return nodes
  }()

  /// The stereo pairs of USB.
  static let pairs = (0..<9).map { "U\(two(2 * $0 + 1))\(two(2 * $0 + 2))" }
  private static let mains = ["LR", "MON"] + pairs
  private static let solos =
    ["OFF", "LR", "LRPFL", "LRAFL", "AUX", "U1718"] + (1...6).map { "Bus\($0)" }
    + ["Bus12", "Bus34", "Bus56"]
  private static let positions = [
    "AIN", "AIN+M", "IN", "IN+M", "PREEQ", "PREEQ+M", "POSTEQ", "POSTEQ+M", "PRE", "PRE+M", "POST",
  ]
  private static let sources: [String] = {
    let inputs = (1...16).map { "Ch\(two($0))" } + ["AuxL", "AuxR"]
    let mixes = (1...4).flatMap { ["Fx\($0)L", "Fx\($0)R"] } + (1...6).map { "Bus\($0)" }
    let sends = (1...4).map { "Send\($0)" } + ["L", "R"]
    let returns = (1...18).map { "U\(two($0))" }
    return inputs + mixes + sends + returns
  }()
}
