// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import GraphFiles
import TestSupport
import Testing

@testable import Host

/// The names of sessions.
struct TowerNamesTests {
  @Test(arguments: [
    ("Mixxx", "Mixxx"), ("naïve app", "naïve-app"), ("", "session"), ("a:b/c", "a-b-c"),
    ("$HOME …", "HOME"), ("Плеер", "Плеер"), ("音楽 2", "音楽-2"), ("🎵", "session"),
    // Letters and their marks of other scripts, and digits.
    ("संगीत", "संगीत"), ("مشغل ٣", "مشغل-٣"),
    // Options, control characters, signs that cannot be seen or turn the direction of text.
    ("--help", "help"), ("-inf", "inf"), ("a\u{1B}[2Jb\n", "a--2Jb"),
    ("\u{202E}a\u{200B}b\u{3164}", "ab"),
    // Marks without a letter, and more of them than a terminal is shown.
    ("\u{301}a \u{301}b", "a-b"),
    ("q\u{323}\u{324}\u{325}\u{32D}\u{32E}\u{330}", "q\u{323}\u{324}\u{325}\u{32D}"),
  ])
  func `names of sessions fit into port names`(app: String, name: String) {
    #expect(Array(SessionName.made(from: app).utf8) == Array(name.utf8))
  }

  @Test(arguments: [
    (String(repeating: "x", count: 50), 40), (String(repeating: "ж", count: 50), 40),
    (String(repeating: "音", count: 50), 39), (String(repeating: "a", count: 39) + "ж", 39),
    // A letter and its marks stay together, unless they alone are longer.
    (String(repeating: "a", count: 38) + "x\u{323}\u{324}", 38),
    (String(repeating: "a", count: 39) + " b", 39), (String(repeating: "\u{1100}", count: 50), 39),
  ])
  func `a long name is cut between letters`(app: String, bytes: Int) {
    let name = SessionName.made(from: app)
    #expect(name.utf8.count == bytes)
    #expect(app.unicodeScalars.starts(with: name.unicodeScalars))
  }

  @Test func `names that only Unicode tells apart are one`() {
    for (one, other) in [
      ("Café", "Cafe\u{301}"), ("각", "\u{1100}\u{1161}\u{11A8}"), ("Å", "\u{212B}"),
    ] {
      let names = [one, other].map { Array(SessionName.made(from: $0).utf8) }
      #expect(names[0] == names[1])
    }
  }

  @Test func `any text makes a name that every terminal shows and every command takes`() {
    var random = TestSeed.random()
    for _ in 0..<5_000 {
      let text = Self.text(of: 0...30, &random)
      let name = SessionName.made(from: text)
      #expect((1...SessionName.limitBytes).contains(name.utf8.count), "\(text.debugDescription)")
      #expect(!name.hasPrefix("-") && !name.hasSuffix("-"), "\(text.debugDescription)")
      #expect(name.unicodeScalars.allSatisfy(Self.canBeTyped), "\(text.debugDescription)")
      #expect(Self.marks(name) <= SessionName.markLimit, "\(text.debugDescription)")
      // The name of the name is itself, to the byte.
      #expect(Array(SessionName.made(from: name).utf8) == Array(name.utf8))
    }
  }

  @Test
  func
    `every name that the host makes reaches its strip, as it is shown and as the tree writes it`()
    async throws
  {
    try await House.with(House.requestGraph) { house in
      await house.play { $0.appear("player", outputs: ["l"]) }
      var random = TestSeed.random()
      let fixed = ["Плеер", "$HOME …", "-inf", "संगीत", "Cafe\u{301}", "main", "50%", "a/b"]
      for number in 0..<40 {
        let app = number < fixed.count ? fixed[number] : "x" + Self.plainText(&random)
        let opened = try await house.call(
          "openSession",
          try Self.json(["app": .string(app), "ports": .array([.string("player:*")])]),
        )
        guard case .string(let name) = opened["strip"] else {
          Issue.record("no strip: \(app.debugDescription)")
          continue
        }
        let gain = -Double(number)
        let path = "/strip/\(name)/gain"
        try await house.call(
          "set",
          try Self.json([
            "values": .array([.object(["path": .string(path), "value": .number(gain)])])
          ]),
        )
        #expect(await house.status.strips.first { $0.id == name }?.gainDB == gain)
        // Its letters may be typed in parts.
        for typed in [path, ParameterPath.path(["strip", name, "gain"]), Self.decomposed(path)] {
          let answer = try await house.call(
            "get",
            try Self.json(["paths": .array([.string(typed)])])
          )
          let values = try JSONDecoder().decode(
            ParameterValues.self,
            from: try JSONEncoder().encode(answer),
          )
          #expect(
            values.values == [
              ParameterSetting(
                path: ParameterPath.path(["strip", name, "gain"]),
                value: .number(gain),
              )
            ]
          )
          let listed = try await house.call("list", try Self.json(["path": .string(typed)]))
          guard case .array(let parameters) = listed["parameters"] else {
            Issue.record("no list: \(typed)")
            continue
          }
          #expect(parameters.count == 1)
        }
        try await house.call(
          "setGain",
          try Self.json(["strip": .string(name), "gainDB": .number(gain - 1)]),
        )
        #expect(await house.status.strips.first { $0.id == name }?.gainDB == gain - 1)
        let why = try await house.call("why", try Self.json(["app": .string(name)]))
        guard case .array(let sessions) = why["sessions"] else {
          Issue.record("no reason: \(name)")
          continue
        }
        #expect(sessions.contains { $0["session"] == .string(name) })
        try await house.call("closeSession", try Self.json(["session": .string(name)]))
      }
    }
  }

  @Test func `the name of a client is cut between letters`() {
    let clients = ClientNames(main: "dj")
    let strip = String(repeating: "ж", count: 40)
    #expect(
      PortNames.returnClient(of: clients, place: strip)
        == "dj-" + String(repeating: "ж", count: 28)
    )
    #expect(
      PortNames.outletClient(of: clients, route: strip)
        == "dj-" + String(repeating: "ж", count: 26) + "-out"
    )
  }

  private static func json(_ object: [String: JSONValue]) throws -> String {
    String(decoding: try JSONEncoder().encode(object), as: UTF8.self)
  }

  private static func canBeTyped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark:
      !scalar.properties.isDefaultIgnorableCodePoint
    default: scalar == "-" || scalar == "_"
    }
  }

  /// The most marks on one letter.
  private static func marks(_ text: String) -> Int {
    var (most, count) = (0, 0)
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: count += 1
      default: count = 0
      }
      most = max(most, count)
    }
    return most
  }

  /// The text with the letter é in two parts, as some keyboards write it.
  private static func decomposed(_ text: String) -> String { text.replacing("é", with: "e\u{301}") }

  /// Characters of all kinds: ASCII with its control characters, the scripts of the world, marks, signs for the direction of text.
  private static let ranges: [ClosedRange<UInt32>] = [
    0x00...0x7F, 0x80...0x24F, 0x300...0x36F, 0x370...0x5FF, 0x600...0x6FF, 0x900...0xDFF,
    0x1100...0x11FF, 0x2000...0x206F, 0x2190...0x21FF, 0x3040...0x31FF, 0x4E00...0x9FFF,
    0xAC00...0xD7A3, 0xE000...0xE0FF, 0xFE00...0xFFFD, 0x1F300...0x1F6FF, 0xE0000...0xE01EF,
  ]

  private static func text(of count: ClosedRange<Int>, _ random: inout SeededRandom) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: count, using: &random) {
      guard let range = ranges.randomElement(using: &random),
        let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random))
      else { continue }
      text.append(scalar)
    }
    return String(text)
  }

  /// A text that a program may have as its name: up to 127 bytes without control characters.
  private static func plainText(_ random: inout SeededRandom) -> String {
    let text = text(of: 1...30, &random)
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 })
    )
  }
}
