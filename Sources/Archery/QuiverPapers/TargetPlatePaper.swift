/// Plates of targets: a page each, with the number and the QR code that a phone scans.
package enum TargetPlatePaper {
  package struct Plate: Sendable {
    package let target: Int
    /// As it is typed where no camera reads it.
    package let code: String
    /// The content of the QR code.
    package let link: String

    package init(target: Int, code: String, link: String) {
      self.target = target
      self.code = code
      self.link = link
    }
  }

  package static func text(
    event: String, language: PaperLanguage = .english, _ plates: [Plate]
  ) -> String {
    var sheet = PaperSheet()
    sheet.event = event
    sheet.language = language
    sheet.title = language("Target plates")
    sheet.hasOwnHeads = true
    let pages = plates.map { plate in
      """
      <section class="plate"><p>\(Markup.isolated(event))</p><h2>\(plate.target)</h2>\
      \(QRCode(plate.link)?.svg ?? "")<p><code>\(Markup.escaped(plate.code))</code></p>\
      <p class="m">\(Markup.escaped(plate.link))</p></section>

      """
    }
    return sheet.opening + pages.joined() + PaperSheet.closing
  }
}
