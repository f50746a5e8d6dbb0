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
    /// What is counted besides the total, as in `10` and `X`.
    package var counts: [String] = []
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
      let head = [card.entry.name, plainDetails(card), "\(event) \(session) \(card.round)"]
      return """
        <section class="card" style="--row:\(rowHeight(card, head))mm"><div class="cardhead">\
        <div class="place">\(card.entry.place)</div>\
        <div class="who"><h2>\(Markup.isolated(card.entry.name))</h2>\
        <p>\(details(card))</p>\
        <p class="m">\(Markup.isolated(event)) · \(Markup.isolated(session)) · \
        \(Markup.isolated(card.round))</p></div>\(QRCode(card.link)?.svg ?? "")</div>
        \(tables(card.passes))\
        <table class="arrows"><tbody><tr>\(sums(card))</tr></tbody></table>
        <div class="sign"><p>Archer</p><p>Scorer</p></div></section>

        """
    }
  }

  private static func sums(_ card: Card) -> String {
    (["Total"] + card.counts).map { "<th>\(Markup.escaped($0))</th><td></td>" }.joined()
  }

  private static func details(_ card: Card) -> String {
    let entry = card.entry
    var parts: [String] = []
    if !entry.bib.isEmpty { parts.append("Bib " + Markup.isolated(entry.bib)) }
    if !entry.club.isEmpty { parts.append(Markup.isolated(entry.club)) }
    if !entry.country.isEmpty { parts.append(Markup.isolated(entry.country)) }
    parts.append(Markup.isolated(entry.category))
    if card.scorer > 0 { parts.append("<b class=\"nb\">Card \(card.scorer) of 2</b>") }
    return parts.joined(separator: " · ")
  }

  /// More distances than these share one table, with a row for each end: those of field rounds,
  /// which have one or a few ends each.
  private static let mostTables = 4

  private static func sharesTable(_ passes: [Pass]) -> Bool {
    passes.count > mostTables && Set(passes.map(\.arrowsPerEnd)).count == 1
  }

  /// The height of a row in millimetres, with which a card is on one page where that is possible.
  /// `head` are the texts above: the name, the details, and the event.
  private static func rowHeight(_ card: Card, _ head: [String]) -> String {
    let ends = card.passes.reduce(0) { $0 + endCount($1) }
    // The heading of a table and its title take as much as three rows.
    let rows = ends + 3 * (sharesTable(card.passes) ? 1 : card.passes.count)
    // So many letters are on a line of each text. Five lines are beside the QR code.
    let lines = zip(head, [24, 52, 60]).reduce(0) { $0 + 1 + width($1.0) / $1.1 }
    let tenths = (2_000 - 48 * max(0, lines - 5)) / max(1, rows)
    let height = min(66, max(42, tenths))
    return "\(height / 10).\(height % 10)"
  }

  /// The width of a text in letters: a sign of East Asia has that of two.
  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 ? 2 : 1) }
  }

  private static func plainDetails(_ card: Card) -> String {
    let entry = card.entry
    return "Bib \(entry.bib) \(entry.club) \(entry.country) \(entry.category) Card 1 of 2"
  }

  private static func endCount(_ pass: Pass) -> Int {
    guard pass.arrowsPerEnd > 0 else { return 0 }
    return (pass.arrowCount + pass.arrowsPerEnd - 1) / pass.arrowsPerEnd
  }

  private static func tables(_ passes: [Pass]) -> String {
    guard sharesTable(passes) else {
      return passes.map { pass in
        "<h3>\(Markup.escaped(pass.title))</h3>\n" + table(of: pass, rows(pass, after: 0))
      }.joined()
    }
    var text = ""
    var number = 0
    for pass in passes {
      text += rows(pass, after: number, title: pass.title)
      number += endCount(pass)
    }
    return passes.first.map { table(of: $0, text, hasTitles: true) } ?? ""
  }

  private static func table(of pass: Pass, _ rows: String, hasTitles: Bool = false) -> String {
    guard pass.arrowsPerEnd > 0 else { return "" }
    let columns = (1...pass.arrowsPerEnd).map { "<th>\($0)</th>" }.joined()
    return """
      <table class="arrows"><thead><tr><th class="end">End</th>\
      \(hasTitles ? "<th class=\"face\">Distance, face</th>" : "")\(columns)\
      <th class="sum">Sum</th><th class="sum">Total</th></tr></thead><tbody>\(rows)</tbody></table>

      """
  }

  /// The ends of a pass, whose numbers begin behind another number. `title` is in each row.
  private static func rows(_ pass: Pass, after first: Int, title: String? = nil) -> String {
    guard pass.arrowsPerEnd > 0 else { return "" }
    var rows = ""
    var left = pass.arrowCount
    var number = first
    let face = title.map { "<td class=\"face\">\(Markup.escaped($0))</td>" } ?? ""
    while left > 0 {
      number += 1
      let count = min(left, pass.arrowsPerEnd)
      // The last end of a pass may be short.
      let cells = (0..<pass.arrowsPerEnd).map { $0 < count ? "<td></td>" : "<td>–</td>" }
      rows +=
        "<tr><td class=\"end\">\(number)</td>\(face)\(cells.joined())<td></td><td></td></tr>"
      left -= count
    }
    return rows
  }
}
