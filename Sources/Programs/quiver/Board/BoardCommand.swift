import QuiverPapers

/// `quiver board`: where the standings of an event are shown.
enum BoardCommand {
  private static let gateway = Flag(
    "--gateway", .word("URL"), "the gateway for browsers; http://localhost:7480 by default")
  private static let plain = Flag("--no-qr", .none, "print the address alone")

  static let command = Command(
    "board", operands: "CODE", summary: "print the address of an event's board, and its QR code",
    details: """
      CODE is the join code of a public event. The board is a page of quiver-gateway that shows the
      standings live. The command makes no call.
      """,
    flags: [gateway, plain], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let code = try arguments.operands(1...1, "one CODE")[0]
    let isCode = code.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
    guard isCode, 1...64 ~= code.utf8.count else {
      throw arguments.usage("CODE has letters, digits and hyphens")
    }
    var base = arguments.value(of: gateway) ?? "http://localhost:7480"
    guard base.hasPrefix("http://") || base.hasPrefix("https://") else {
      throw arguments.usage("--gateway expects an address with http:// or https://")
    }
    while base.hasSuffix("/") { base.removeLast() }
    let address = "\(base)/board/\(code)"
    try Terminal.print(address)
    if !arguments.has(plain), let picture = QRCode(address) { try Terminal.print(picture.text) }
  }
}
