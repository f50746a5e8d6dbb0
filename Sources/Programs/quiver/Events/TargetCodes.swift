import QuiverPapers

/// The codes of targets on a terminal: as a table, and where phones find their pages.
enum TargetCodes {
  static let address = Flag(
    "--address", .word("URL"),
    "the address of the pages, as https://scores.club.example: where each code leads is printed")
  static let pictures = Flag("--qr", .none, "with --address: draw the QR code of each target")

  /// A target and its code.
  typealias Code = (target: String, code: String)

  /// The score page that the arguments name; nil: none. Throws where they do not go together.
  static func link(_ arguments: Arguments) throws(Failure) -> String? {
    guard let text = arguments.value(of: address) else {
      guard !arguments.has(pictures) else {
        throw arguments.usage("\(pictures.name) needs \(address.usage)")
      }
      return nil
    }
    return try ScorePage.link(text, arguments)
  }

  static func show(_ codes: [Code], _ arguments: Arguments) throws(Failure) {
    guard let link = try link(arguments) else {
      return try Terminal.print(table: [["TARGET", "CODE"]] + codes.map { [$0.target, $0.code] })
    }
    try Terminal.print(
      table: [["TARGET", "CODE", "ADDRESS"]]
        + codes.map { [$0.target, $0.code, "\(link)#\($0.code)"] })
    guard arguments.has(pictures) else { return }
    for (target, code) in codes {
      guard let picture = QRCode("\(link)#\(code)") else { continue }
      try Terminal.print("\nTarget \(target)\n\(picture.text)")
    }
  }
}
