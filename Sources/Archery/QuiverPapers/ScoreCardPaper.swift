/// Score cards of the archers of a session, by target: 1, 2 or 4 on a page, with a QR code of the
/// target.
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

  /// How many cards a page may have.
  package static let pageCounts = [1, 2, 4]

  /// Whether a card with these passes can be written in where a page has so many.
  package static func fits(_ passes: [Pass], perPage: Int) -> Bool {
    perPage == 1 || smallRow(passes, perPage: perPage) >= lowestSmallRow
  }

  /// The cards of a session; `event` and `session` are names.
  package static func section(
    event: String, session: String, language: PaperLanguage = .english, perPage: Int = 1,
    _ cards: [Card]
  ) -> PaperSection {
    let sorted = cards.sorted { left, right in
      if PaperEntry.isFurtherLeft(left.entry, right.entry) { return true }
      return !PaperEntry.isFurtherLeft(right.entry, left.entry) && left.scorer < right.scorer
    }
    return PaperSection(rowCount: sorted.count) { index in
      let card = sorted[index]
      let head = [card.entry.name, plainDetails(card), "\(event) \(session) \(card.round)"]
      let row =
        perPage == 1
        ? rowHeight(card, head) : tenths(min(56, smallRow(card.passes, perPage: perPage)))
      let isFirst = perPage > 1 && index % perPage == 0
      let isLast = perPage > 1 && (index % perPage == perPage - 1 || index == sorted.count - 1)
      return """
        \(isFirst ? "<div class=\"page\">\n" : "")\
        <section class="card" style="--row:\(row)mm"><div class="cardhead">\
        <div class="place">\(card.entry.place)</div>\
        <div class="who"><h2>\(Markup.isolated(card.entry.name))</h2>\
        <p>\(details(card, language))</p>\
        <p class="m">\(Markup.isolated(event)) · \(Markup.isolated(session)) · \
        \(Markup.isolated(card.round))</p></div>\(QRCode(card.link)?.svg ?? "")</div>
        \(tables(card.passes, perPage, language))\
        <table class="arrows"><tbody><tr>\(sums(card, language))</tr></tbody></table>
        <div class="sign"><p>\(language("Archer"))</p><p>\(language("Scorer"))</p></div></section>
        \(isLast ? "</div>\n" : "")
        """
    }
  }

  private static func sums(_ card: Card, _ language: PaperLanguage) -> String {
    ([language("Total")] + card.counts).map { "<th>\(Markup.escaped($0))</th><td></td>" }.joined()
  }

  private static func details(_ card: Card, _ language: PaperLanguage) -> String {
    let entry = card.entry
    var parts: [String] = []
    if !entry.bib.isEmpty { parts.append(language("Bib") + " " + Markup.isolated(entry.bib)) }
    if !entry.club.isEmpty { parts.append(Markup.isolated(entry.club)) }
    if !entry.country.isEmpty { parts.append(Markup.isolated(entry.country)) }
    parts.append(Markup.isolated(entry.category))
    if card.scorer > 0 {
      let number = language("Card {number} of 2", ["number": "\(card.scorer)"])
      parts.append("<b class=\"nb\">\(number)</b>")
    }
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
    return self.tenths(min(66, max(42, tenths)))
  }

  private static func tenths(_ height: Int) -> String { "\(height / 10).\(height % 10)" }

  /// The lowest row that can be written in, in tenths of a millimetre.
  private static let lowestSmallRow = 36

  /// The height of a row in tenths of a millimetre where a page has 2 or 4 cards, whose tables are
  /// in two columns.
  private static func smallRow(_ passes: [Pass], perPage: Int) -> Int {
    // Of the place of a card, what its head, its sums and its signatures leave.
    let place = perPage == 2 ? 860 : 560
    // A table has its heading, and a title above it.
    let rows = passes.map { endCount($0) + 2 }
    guard !sharesTable(passes), rows.count > 1 else { return place / max(1, rows.reduce(0, +)) }
    // Both columns, filled in order, with the lowest higher one.
    let all = rows.reduce(0, +)
    var (first, highest) = (0, all)
    for row in rows {
      first += row
      highest = min(highest, max(first, all - first))
    }
    return place / highest
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

  private static func tables(
    _ passes: [Pass], _ perPage: Int, _ language: PaperLanguage
  ) -> String {
    guard perPage > 1 else { return tables(passes, language) }
    guard !sharesTable(passes), passes.count > 1 else {
      return "<div class=\"tables one\"><div>\(tables(passes, language))</div></div>"
    }
    return "<div class=\"tables\">"
      + passes.map { "<div>\(tables([$0], language))</div>" }.joined() + "</div>"
  }

  private static func tables(_ passes: [Pass], _ language: PaperLanguage) -> String {
    guard sharesTable(passes) else {
      return passes.map { pass in
        "<h3>\(Markup.escaped(pass.title))</h3>\n"
          + table(of: pass, rows(pass, after: 0), language)
      }.joined()
    }
    var text = ""
    var number = 0
    for pass in passes {
      text += rows(pass, after: number, title: pass.title)
      number += endCount(pass)
    }
    return passes.first.map { table(of: $0, text, language, hasTitles: true) } ?? ""
  }

  private static func table(
    of pass: Pass, _ rows: String, _ language: PaperLanguage, hasTitles: Bool = false
  ) -> String {
    guard pass.arrowsPerEnd > 0 else { return "" }
    let columns = (1...pass.arrowsPerEnd).map { "<th>\($0)</th>" }.joined()
    return """
      <table class="arrows"><thead><tr><th class="end">\(language("End"))</th>\
      \(hasTitles ? "<th class=\"face\">\(language("Distance, face"))</th>" : "")\(columns)\
      <th class="sum">\(language("Sum"))</th>\
      <th class="sum">\(language("Total"))</th></tr></thead><tbody>\(rows)</tbody></table>

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
