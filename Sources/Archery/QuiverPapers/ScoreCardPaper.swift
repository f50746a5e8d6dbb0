/// Score cards of the archers of a session, by target: one page each, with a QR code of the target.
package enum ScoreCardPaper {
  /// The ends of one distance and face.
  package struct Pass: Sendable {
    /// As in `70 m, 122 cm`.
    package var title = ""
    package var arrowCount = 0
    package var arrowsPerEnd = 0

    package init() {}
  }

  /// The card of an entry.
  package struct Card: Sendable {
    package var entry = PaperEntry()
    /// The name of its round.
    package var round = ""
    package var passes: [Pass] = []
    /// The content of the QR code of its target.
    package var link = ""
    /// Whose card it is where each scorer has one: 1 or 2; 0: there is one scorer.
    package var scorer = 0

    package init() {}
  }

  /// The cards of a session; `event` and `session` are names.
  package static func section(
    event: String, session: String, _ cards: [Card]
  ) -> PaperSection {
    let sorted = cards.sorted { left, right in
      if PaperEntry.isFurtherLeft(left.entry, right.entry) { return true }
      return !PaperEntry.isFurtherLeft(right.entry, left.entry) && left.scorer < right.scorer
    }
    return PaperSection(rowCount: sorted.count) { index in
      let card = sorted[index]
      return """
        <section class="card"><div class="cardhead"><div class="place">\(card.entry.place)</div>\
        <div class="who"><h2>\(Markup.isolated(card.entry.name))</h2>\
        <p>\(details(card))</p>\
        <p class="m">\(Markup.isolated(event)) · \(Markup.isolated(session)) · \
        \(Markup.isolated(card.round))</p></div>\(QRCode(card.link)?.svg ?? "")</div>
        \(card.passes.map(table).joined())\
        <table class="arrows"><tbody><tr><th>Total</th><td></td><th>10</th><td></td>\
        <th>X</th><td></td></tr></tbody></table>
        <div class="sign"><p>Archer</p><p>Scorer</p></div></section>

        """
    }
  }

  private static func details(_ card: Card) -> String {
    let entry = card.entry
    var parts: [String] = []
    if !entry.bib.isEmpty { parts.append("Bib " + Markup.isolated(entry.bib)) }
    if !entry.club.isEmpty { parts.append(Markup.isolated(entry.club)) }
    if !entry.country.isEmpty { parts.append(Markup.isolated(entry.country)) }
    parts.append(Markup.isolated(entry.category))
    if card.scorer > 0 { parts.append("<b>Card \(card.scorer) of 2</b>") }
    return parts.joined(separator: " · ")
  }

  private static func table(_ pass: Pass) -> String {
    guard pass.arrowsPerEnd > 0 else { return "" }
    let columns = (1...pass.arrowsPerEnd).map { "<th>\($0)</th>" }.joined()
    var rows = ""
    var left = pass.arrowCount
    var number = 0
    while left > 0 {
      number += 1
      let count = min(left, pass.arrowsPerEnd)
      // The last end of a pass may be short.
      let cells = (0..<pass.arrowsPerEnd).map { $0 < count ? "<td></td>" : "<td>–</td>" }
      rows += "<tr><td class=\"end\">\(number)</td>\(cells.joined())<td></td><td></td></tr>"
      left -= count
    }
    return """
      <h3>\(Markup.escaped(pass.title))</h3>
      <table class="arrows"><thead><tr><th class="end">End</th>\(columns)\
      <th class="sum">Sum</th><th class="sum">Total</th></tr></thead><tbody>\(rows)</tbody></table>

      """
  }
}
