import CQREncode

/// A QR code of a text, by libqrencode.
package struct QRCode: Sendable {
  /// Dark modules of each line, without the quiet zone.
  package let lines: [[Bool]]

  /// The quiet zone of ISO/IEC 18004, in modules.
  private static let quiet = 4

  /// With error correction of about 15 %. Nil where the text is too long for a code.
  package init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let data = code.pointee.data, width > 0 else { return nil }
    lines = (0..<width).map { y in (0..<width).map { x in data[y * width + x] & 1 == 1 } }
  }

  /// Two lines of modules as one line of half blocks; light modules are drawn, so that the code is
  /// right on terminals with a dark background.
  package var text: String {
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

  /// A picture of it with its quiet zone. Modules are one unit wide; the style sheet sets the size.
  package var svg: String {
    let width = lines.count + 2 * Self.quiet
    var path = ""
    for (y, line) in lines.enumerated() {
      var x = 0
      while x < line.count {
        guard line[x] else {
          x += 1
          continue
        }
        let end = line[x...].firstIndex(of: false) ?? line.count
        path += "M\(x + Self.quiet) \(y + Self.quiet)h\(end - x)v1h-\(end - x)z"
        x = end
      }
    }
    return """
      <svg class="qr" viewBox="0 0 \(width) \(width)" shape-rendering="crispEdges" role="img" \
      aria-label="QR">\
      <path fill="#fff" d="M0 0h\(width)v\(width)H0z"/><path d="\(path)"/></svg>
      """
  }
}
