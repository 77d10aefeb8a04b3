// SPDX-License-Identifier: MIT

import Console
import Foundation
import TestSupport
import Testing

@testable import CommandSupport

/// QR codes as zbarimg reads them off the terminal.
struct QRCodeTests {
  private static let address = "http://192.168.100.200:8080/#token=0123456789abcdef0123456789abcdef"

  /// The text that a camera reads, with a character of the terminal as eight by sixteen points.
  private static func read(_ lines: [String]) async throws -> String {
    let rows = lines.flatMap { line in
      (["\u{2580}", "\u{2584}"] as [Character]).map { half in
        line.map { $0 == "\u{2588}" || $0 == half }
      }
    }
    let points = rows.flatMap { row in
      Array(repeating: row.flatMap { Array(repeating: UInt8($0 ? 255 : 0), count: 8) }, count: 8)
    }
    let path = NSTemporaryDirectory() + "multiroute-qr-\(UUID()).pgm"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let head = "P5 \(points[0].count) \(points.count) 255\n"
    try (Data(head.utf8) + points.flatMap(\.self)).write(to: URL(filePath: path))
    let end = try await runProgram("zbarimg", ["--quiet", "--raw", path])
    return end.output.trimmingCharacters(in: .newlines)
  }

  @Test func `a camera reads the address from a terminal of 80 columns and 24 rows`() async throws {
    let code = try #require(QRCode(Self.address))
    let lines = try #require(code.lines(ScreenStyle(columns: 80, rows: 24)))
    #expect(lines.count <= 22 && lines.allSatisfy { $0.count == code.columns })
    #expect(try await Self.read(lines) == Self.address)
  }

  @Test func `colours do not depend on the terminal's own`() async throws {
    let lines = try #require(
      QRCode("x")?.lines(ScreenStyle(columns: 80, rows: 24, hasColor: true))
    )
    #expect(lines.allSatisfy { $0.hasPrefix("\u{1B}[97;40m") && $0.hasSuffix("\u{1B}[0m") })
    let plain = lines.map { String($0.dropFirst(8).dropLast(4)) }
    #expect(try await Self.read(plain) == "x")
  }

  @Test func `there is no code where it would not fit or could not be drawn`() throws {
    let code = try #require(QRCode(Self.address))
    #expect(code.lines(ScreenStyle(columns: code.columns - 1, rows: 24)) == nil)
    #expect(code.lines(ScreenStyle(columns: 80, rows: 24, isUnicode: false)) == nil)
    #expect(QRCode(String(repeating: "x", count: 3_000)) == nil)
  }
}
