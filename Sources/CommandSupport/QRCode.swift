// SPDX-License-Identifier: MIT

internal import CQREncode
public import Console
internal import Glibc

/// A QR code for the camera of a phone, drawn in a terminal.
///
/// Pure value: [any-thread].
public struct QRCode: Sendable {
  /// The modules of the light border; ISO/IEC 18004 asks for four.
  private static let border = 4

  private let width: Int
  private let dark: [Bool]

  /// Encodes a text.
  ///
  /// - Returns: Nil for a text that no code can hold.
  public init?(_ text: String) {
    guard let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
    defer { unsafe QRcode_free(code) }
    let width = unsafe Int(code.pointee.width)
    let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: width * width)
    self.width = width
    dark = unsafe modules.map { $0 & 1 == 1 }
  }

  /// The columns that the code takes.
  public var columns: Int { width + 2 * Self.border }

  /// The lines of the code, two modules high each.
  ///
  /// - Returns: Nil for a terminal that is too narrow, or has no characters beyond ASCII.
  public func lines(_ style: ScreenStyle) -> [String]? {
    guard style.isUnicode, columns <= style.columns else { return nil }
    // White on black by name, because a terminal may be dark or light; without colours it is taken for dark.
    let (start, end) = style.hasColor ? ("\u{1B}[97;40m", "\u{1B}[0m") : ("", "")
    return stride(from: 0, to: columns, by: 2).map { row in
      let line = (0..<columns).map { column in
        switch (isLight(column, row), isLight(column, row + 1)) {
        case (true, true): "\u{2588}"
        case (true, false): "\u{2580}"
        case (false, true): "\u{2584}"
        case (false, false): " "
        }
      }
      return start + line.joined() + end
    }
  }

  private func isLight(_ column: Int, _ row: Int) -> Bool {
    let (x, y) = (column - Self.border, row - Self.border)
    guard (0..<width).contains(x), (0..<width).contains(y) else { return true }
    return !dark[y * width + x]
  }
}

extension Terminal {
  /// Draws a QR code on standard error, if it is a terminal that can show it.
  public static func complain(code text: String) {
    guard isatty(STDERR_FILENO) == 1, let lines = QRCode(text)?.lines(style) else { return }
    drawError(lines.joined(separator: "\n") + "\n")
  }

  /// Draws a QR code on standard output, if it is a terminal that can show it.
  public static func draw(code text: String) {
    guard isInteractive, let lines = QRCode(text)?.lines(style) else { return }
    draw(lines.joined(separator: "\n") + "\n")
  }
}
