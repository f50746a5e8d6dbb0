/// The frame of a paper: one HTML file without other files and scripts.
package struct PaperSheet: Sendable {
  /// The name of the event.
  package var event = ""
  /// What the paper is, in its language.
  package var title = ""
  /// Lines under the title; texts of this program.
  package var notes: [String] = []
  package var isLandscape = false
  /// Whether the head is on the screen only, because each page has one of its own.
  package var hasOwnHeads = false
  package var language = PaperLanguage.english
  /// How many score cards are on a page: 1, 2 or 4.
  package var cardsPerPage = 1

  package init() {}

  /// What is before the sections.
  package var opening: String {
    """
    <!DOCTYPE html>
    <html lang="\(language.rawValue)">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(Markup.escaped(event)) – \(title)</title>
    <style>
    @page { size: A4\(isLandscape ? " landscape" : ""); margin: \(margins);
      @bottom-left { content: \(Self.quoted(event)); }
      @bottom-center { content: \(Self.quoted(title)); }
      @bottom-right { content: \(Self.quoted(language("Page") + " ")) \
    counter(page) " / " counter(pages); } }
    @page { @bottom-left { width: 60%; text-align: left; } @bottom-center { width: auto; }
      @bottom-right { text-align: right; } }
    \(Self.style)
    </style>
    </head>
    <body class="\(isLandscape ? "landscape" : "portrait")\(hasOwnHeads ? " heads" : "")\
    \(cardsPerPage == 4 ? " four" : cardsPerPage == 2 ? " two" : "")">
    <header><h1>\(Markup.isolated(event))</h1><p>\(title)</p>\
    \(notes.map { "<p class=\"note\">\($0)</p>" }.joined())</header>
    <main>

    """
  }

  /// Those of a page; its foot has the name of the event and the number of the page.
  private var margins: String { cardsPerPage > 1 ? "8mm 10mm 13mm" : "12mm 12mm 16mm" }

  /// A text as a string of a style sheet: no character ends it, or the element around it.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in PlainText.shown(text).unicodeScalars {
      switch scalar {
      case "\"", "\\", "<", ">", "&": result += "\\\(String(scalar.value, radix: 16)) "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// What is after the sections.
  package static let closing = "</main>\n</body>\n</html>\n"

  private static let style = """
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 8mm; max-width: 202mm; color: #111; background: #fff;
      font: 10.5pt/1.35 "Noto Sans", "DejaVu Sans", "Segoe UI", "Helvetica Neue", Arial,
        "Noto Sans CJK SC", "Droid Sans Fallback", sans-serif; }
    body.landscape { max-width: 289mm; }
    @media print {
      body, body.landscape { padding: 0; max-width: none; }
      body.heads > header { display: none; }
    }
    header { border-bottom: 1.5pt solid #111; margin-bottom: 5mm; padding-bottom: 2mm; }
    header p { margin: 0; font-size: 12pt; }
    header p.note, p.note { font-size: 9pt; color: #444; margin: .5mm 0 1mm; break-after: avoid; }
    h1 { font-size: 18pt; line-height: 1.2; margin: 0 0 1mm; overflow-wrap: anywhere; }
    h2 { font-size: 13pt; line-height: 1.25; margin: 6mm 0 2mm; break-after: avoid;
      overflow-wrap: anywhere; }
    h3 { font-size: 11pt; margin: 4mm 0 1.5mm; break-after: avoid; }
    table { border-collapse: collapse; width: 100%; }
    thead { display: table-header-group; }
    tr { break-inside: avoid; }
    th, td { padding: 1mm 2mm; text-align: start; vertical-align: top; overflow-wrap: anywhere;
      border-bottom: .4pt solid #bbb; }
    th, thead td { border-bottom: .8pt solid #111; font-size: 9pt; white-space: nowrap; }
    .n { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
    .s { white-space: nowrap; width: 1%; }
    .c { min-width: 24mm; }
    .archer { min-width: 42mm; }
    .club { min-width: 30mm; }
    .nb { white-space: nowrap; }
    .m { color: #444; font-size: 9pt; }
    .first td { border-top: .8pt solid #111; }
    .same { break-before: avoid; }
    .won { font-weight: 700; }
    @page { font: 8pt "Noto Sans", "DejaVu Sans", "Segoe UI", "Helvetica Neue", Arial,
      "Noto Sans CJK SC", "Droid Sans Fallback", sans-serif; color: #444; }
    .card { break-inside: avoid; break-after: page; }
    .page { break-after: page; break-inside: avoid; display: grid; }
    .page:last-child { break-after: auto; }
    .page .card { break-after: auto; overflow: hidden; }
    .two .page { grid-template-rows: 134mm 134mm; row-gap: 4mm; }
    .two .card + .card { border-top: .4pt dashed #888; padding-top: 3mm; }
    .four .page { grid-template-columns: 1fr 1fr; grid-template-rows: 92mm 92mm; gap: 2mm 8mm; }
    .two .card h2, .four .card h2 { font-size: 12pt; margin: 0; }
    .four .card h2 { font-size: 10.5pt; }
    .two .cardhead, .four .cardhead { gap: 3mm; margin-bottom: 1mm; }
    .four .cardhead p { font-size: 8pt; line-height: 1.2; }
    .two .cardhead .place { font-size: 26pt; }
    .four .cardhead .place { font-size: 20pt; }
    .two .qr { width: 24mm; height: 24mm; }
    .four .qr { width: 19mm; height: 19mm; }
    .tables { columns: 2; column-gap: 4mm; }
    .tables.one { columns: auto; }
    .tables > div { break-inside: avoid; }
    .two .card h3, .four .card h3 { font-size: 8.5pt; line-height: 1.1; margin: 0 0 .5mm; }
    .two table.arrows .sum { width: 11mm; }
    .four table.arrows .sum { width: 8.5mm; }
    .two table.arrows .end, .four table.arrows .end { width: 8mm; }
    .two table.arrows, .four table.arrows { margin-bottom: 1.5mm;
      font-size: calc(min(var(--row), 5mm) * .6); }
    .two .sign { margin-top: 8mm; }
    .four .sign { margin-top: 5mm; }
    .four .sign p { font-size: 7pt; padding-top: .3mm; }
    .card:last-child { break-after: auto; }
    .card h2 { margin: 0 0 1mm; font-size: 16pt; }
    .cardhead { display: flex; gap: 6mm; align-items: flex-start; margin-bottom: 3mm; }
    .cardhead .who { flex: 1; min-width: 0; }
    .cardhead .place { font-size: 34pt; font-weight: 700; line-height: 1; white-space: nowrap; }
    .cardhead p { margin: 0 0 .5mm; overflow-wrap: anywhere; }
    .qr { width: 28mm; height: 28mm; flex: none; }
    .plate { break-after: page; text-align: center; }
    .plate:last-of-type { break-after: auto; }
    .plate > p { font-size: 18pt; margin: 0; }
    .plate h2 { font-size: 110pt; line-height: 1; margin: 6mm 0; }
    .plate .qr { width: 115mm; height: 115mm; }
    .card h3 { margin: calc(var(--row, 6.6mm) * .55) 0 1mm; }
    table.arrows { table-layout: fixed; margin-bottom: 2mm; width: calc(100% - 1mm);
      font-size: calc(var(--row, 6.6mm) * .56); line-height: 1; }
    table.arrows th, table.arrows td { border: .6pt solid #111; text-align: center; padding: 0;
      height: var(--row, 6.6mm); vertical-align: middle; }
    table.arrows th { font-size: .9em; }
    table.arrows .sum { width: 16mm; }
    table.arrows .face { width: 34mm; white-space: nowrap; }
    table.arrows .end { width: 11mm; background: #eee; print-color-adjust: exact; }
    .sign { display: flex; gap: 10mm; margin-top: 9mm; }
    .sign p { flex: 1; border-top: .6pt solid #111; padding-top: 1mm; margin: 0; font-size: 9pt; }
    .diploma { text-align: center; padding-top: 30mm; }
    .diploma p { font-size: 15pt; margin: 0 0 7mm; overflow-wrap: anywhere; }
    .diploma p.head { font-size: 36pt; font-weight: 700; line-height: 1.2; margin-bottom: 14mm; }
    .diploma p.name { font-size: 28pt; font-weight: 700; line-height: 1.2; }
    .tree { display: flex; gap: 4mm; margin-top: 3mm; break-inside: avoid; }
    .round { flex: 1; min-width: 0; display: flex; flex-direction: column; }
    .round h3 { margin: 0 0 2mm; font-size: 9.5pt; }
    .round .matches { flex: 1; display: flex; flex-direction: column;
      justify-content: space-around; gap: 2.5mm; }
    .match { border: .6pt solid #111; break-inside: avoid; font-size: 9pt; }
    .match div { display: flex; gap: 1.5mm; padding: .6mm 1.5mm; }
    .match div + div { border-top: .4pt solid #bbb; }
    .match .seed { color: #444; min-width: 4mm; text-align: end; }
    .match .name { flex: 1; min-width: 0; overflow-wrap: anywhere; }
    .match .score { font-variant-numeric: tabular-nums; white-space: nowrap; }
    table.medals { break-inside: avoid; }
    .medals td:first-child { width: 22mm; font-weight: 700; }
    """
}
