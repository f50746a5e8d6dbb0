import QuiverGateway

/// The board of an event: one page for all codes, with its script and style.
enum BoardPages {
  /// Nothing but the page's own files may run, style it or be called.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    + " base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
  private static let mostCodeBytes = 64

  /// The page at a path; nil: there is none.
  static func page(_ head: HTTPRequestHead) -> Gateway.Page? {
    let parts = head.path.split("/").dropFirst()
    guard parts.first == "board" else { return nil }
    switch (parts.count, parts.last) {
    case (3, "board.js"):
      return file("text/javascript; charset=utf-8", PackageResources.board_js, parts)
    case (3, "board.css"): return file("text/css; charset=utf-8", PackageResources.board_css, parts)
    case (2, let code?):
      guard !code.isEmpty, code.bytes.count <= mostCodeBytes,
        code.bytes.allSatisfy({ isCodeByte($0) })
      else { return nil }
      return Gateway.Page(
        contentType: "text/html; charset=utf-8", body: PackageResources.board_html,
        fields: ["content-security-policy": policy, "cache-control": "no-cache"])
    default: return nil
    }
  }

  private static func file(
    _ type: String, _ body: [UInt8], _ parts: ArraySlice<HTTPText>
  ) -> Gateway.Page? {
    guard parts.dropFirst().first == "assets" else { return nil }
    return Gateway.Page(contentType: type, body: body, fields: ["cache-control": "no-cache"])
  }

  /// A code has letters and digits, and may be written with hyphens.
  private static func isCodeByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
