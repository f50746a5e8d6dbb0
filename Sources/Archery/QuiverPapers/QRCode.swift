import CQREncode

/// A QR code of a text, by libqrencode.
struct QRCode {
  /// Dark modules of each line, without the quiet zone.
  let lines: [[Bool]]

  /// The quiet zone of ISO/IEC 18004, in modules.
  private static let quiet = 4

  /// With error correction of about 15 %. Nil where the text is too long for a code.
  init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let data = code.pointee.data, width > 0 else { return nil }
    lines = (0..<width).map { y in (0..<width).map { x in data[y * width + x] & 1 == 1 } }
  }

  /// Two lines of modules as one line of half blocks; light modules are drawn, so that the code is
  /// right on terminals with a dark background.
  var text: String {
    let width = lines.count + 2 * Self.quiet
    func isLight(_ x: Int, _ y: Int) -> Bool {
      let (column, line) = (x - Self.quiet, y - Self.quiet)
      guard lines.indices.contains(line), lines.indices.contains(column) else { return true }
      return !lines[line][column]
    }
    return stride(from: 0, to: width, by: 2).map { y in
      (0..<width).map { x in
        switch (isLight(x, y), y + 1 < width && isLight(x, y + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
    }.joined(separator: "\n")
  }
}
