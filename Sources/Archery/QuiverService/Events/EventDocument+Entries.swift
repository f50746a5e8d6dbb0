import QuiverAPI
import QuiverPapers
import QuiverProtobuf
import QuiverRules
import QuiverStore

/// The entries that the sections of one part show, read at once where one needs them.
final class DocumentEntries {
  private let store: Store
  private let scope: EventDocumentScope
  private var read: [EventEntryRecord]?

  init(store: Store, scope: EventDocumentScope) {
    self.store = store
    self.scope = scope
  }

  /// Those of the scope, by the id of their participant.
  func all() throws(StoreError) -> [EventEntryRecord] {
    if let read { return read }
    var filter = Snapshot.EntryFilter()
    (filter.category, filter.session) = (scope.category, scope.session)
    let asked = filter
    let found = try store.read { (snapshot) throws(StoreError) in
      try snapshot.allEventEntries(event: scope.event, asked, principal: scope.principal)
    }
    read = found
    return found
  }
}

/// Sections of entries: lists, score cards, sessions.
extension EventDocument {
  /// The entries of a category as papers show them.
  func paperEntries(category: Int64, _ frame: Frame) throws(StoreError) -> [PaperEntry] {
    papers(try frame.entries.all().filter { $0.content.category == category }, frame)
  }

  /// The entries of a session as papers show them.
  func paperEntries(session: Int64, _ frame: Frame) throws(StoreError) -> [PaperEntry] {
    papers(try frame.entries.all().compactMap { $0.shown(in: session) }, frame)
  }

  func papers(_ records: [EventEntryRecord], _ frame: Frame) -> [PaperEntry] {
    let names = Dictionary(frame.sessions.map { ($0.id, $0.content.name) }) { first, _ in first }
    return records.map { record in
      PaperEntry(
        record, session: names[record.session] ?? "",
        showsLicence: frame.isOfficial || record.principal == scope.principal)
    }
  }

  func entries(_ category: Int64, _ frame: Frame) throws(StoreError) -> PaperSection {
    let entries = try paperEntries(category: category, frame)
    guard kind != .entriesCSV else { return EntryLines.section(entries) }
    // A category without entries takes no room on a paper.
    guard !entries.isEmpty else { return PaperSection() }
    return StartListPaper.section(
      title: title(ofCategory: category, frame), hasSessions: frame.sessions.count > 1,
      language: language, entries)
  }

  func targets(_ id: Int64, _ frame: Frame) throws(StoreError) -> PaperSection {
    guard let session = frame.sessions.first(where: { $0.id == id }) else { return PaperSection() }
    return TargetListPaper.section(
      title: session.content.name, note: note(session), language: language,
      try paperEntries(session: id, frame))
  }

  func cards(_ id: Int64, _ frame: Frame) throws(StoreError) -> PaperSection {
    guard let session = frame.sessions.first(where: { $0.id == id }) else { return PaperSection() }
    let categories = Dictionary(frame.categories.map { ($0.content.code, $0) }) { first, _ in first
    }
    let entries = try paperEntries(session: id, frame)
    let cards = entries.filter { $0.target > 0 && !$0.isOut }.map { entry in
      var card = ScoreCardPaper.Card()
      card.entry = entry
      card.link = link(session: id, target: entry.target, frame)
      guard let category = categories[entry.category] else { return card }
      card.round = category.format.format.name
      let policy = TiePolicy(rawValue: category.content.tiePolicy) ?? frame.head.tiePolicy
      card.counts = frame.head.form(of: policy).keys
        .filter { ![.score, .endsCompleted].contains($0) }.map { language(Self.title($0)) }
      card.passes = category.format.format.passes.map(ScoreCardPaper.Pass.init)
      if category.rounds.count > 1 {
        let round = category.rounds.first { $0.number == Int(session.content.round) }
        card.round = language(
          "Round {number} of {count}",
          ["number": "\(session.content.round)", "count": "\(category.rounds.count)"])
        card.passes = round?.passes.map(ScoreCardPaper.Pass.init) ?? []
      }
      return card
    }
    if let long = cards.first(where: { !ScoreCardPaper.fits($0.passes, perPage: cardsPerPage) }) {
      throw StoreError(
        .failedPrecondition,
        "a card of \(long.round) has too many ends for \(cardsPerPage) on a page",
        field: "cards_per_page")
    }
    return ScoreCardPaper.section(
      event: frame.head.name, session: session.content.name, language: language,
      perPage: cardsPerPage,
      scope.bothScorers ? Self.forBothScorers(cards) : cards)
  }

  private static func forBothScorers(_ cards: [ScoreCardPaper.Card]) -> [ScoreCardPaper.Card] {
    cards.flatMap { card in
      (1...2).map { scorer in
        var copy = card
        copy.scorer = scorer
        return copy
      }
    }
  }

  func calendar(_ id: Int64, _ frame: Frame) -> PaperSection {
    guard let session = frame.sessions.first(where: { $0.id == id }),
      session.content.startsAtMilliseconds > 0
    else { return PaperSection() }
    var entry = CalendarText.Entry()
    entry.uid = "\(String(store.epoch, radix: 16))-event-\(scope.event)-session-\(id)@quiver"
    // Its summary has the name of the event.
    entry.revision = session.revision &+ frame.head.revision
    entry.isCancelled = frame.head.status == .cancelled
    entry.startsAtMilliseconds = session.content.startsAtMilliseconds
    entry.summary =
      frame.head.name.isEmpty
      ? session.content.name : "\(frame.head.name): \(session.content.name)"
    entry.description = targets(session)
    let (shown, now) = (entry, store.nowMilliseconds)
    return PaperSection(rowCount: 1) { _ in CalendarText.text(shown, now: now) }
  }

  /// The name of a category with its code.
  func title(ofCategory id: Int64, _ frame: Frame) -> String {
    guard let content = frame.categories.first(where: { $0.id == id })?.content else { return "" }
    return content.name.isEmpty ? content.code : "\(content.code) – \(content.name)"
  }

  private func note(_ session: EventSessionRecord) -> String {
    let start = session.content.startsAtMilliseconds
    return (start > 0 ? time(start) + " · " : "") + targets(session)
  }

  private func targets(_ session: EventSessionRecord) -> String {
    let content = session.content
    let count = content.archersPerTarget
    let numbers = ["first": "\(content.firstTarget)", "last": "\(content.lastTarget)"]
    var parts = [
      language("Targets {first} to {last}", numbers),
      count == 1
        ? language("1 archer on each")
        : language("{count} archers on each", ["count": "\(count)"]),
    ]
    if count == 4 { parts.append(language("who shoot as AB and CD")) }
    return parts.joined(separator: ", ")
  }

  /// What stands after `#` reaches neither a server nor a log: the code is a credential.
  private func link(session: Int64, target: Int, _ frame: Frame) -> String {
    guard !linkBase.isEmpty else {
      return "quiver:event/\(scope.event)/session/\(session)/target/\(target)"
    }
    if let code = frame.targetCodes[session]?[UInt32(clamping: target)] {
      return "\(linkBase)#\(code)"
    }
    let sign = linkBase.contains("?") ? "&" : "?"
    return "\(linkBase)\(sign)event=\(scope.event)&session=\(session)&target=\(target)"
  }
}

extension PaperEntry {
  init(_ record: EventEntryRecord, session: String, showsLicence: Bool) {
    self.init()
    id = record.participant
    name = record.displayName
    bib = record.content.bib
    club = record.content.club
    country = record.content.country
    licence = showsLicence ? record.content.licence : ""
    category = record.categoryCode
    self.session = session
    sessionID = record.session
    target = record.place?.target ?? 0
    letter = record.place?.letterText ?? ""
    let content = record.content
    bow = EntryWords.word(content.bow, Bowstyle.schema)
    gender = EntryWords.word(content.gender, ArcherGender.schema)
    age = EntryWords.word(content.age, AgeGroup.schema)
    face = EntryWords.word(content.faceLayout?.rawValue ?? 0, QuiverAPI.FaceLayout.schema)
    shown = EntryWords.word(content.publicName?.rawValue ?? 0, QuiverAPI.PublicName.schema)
    fixed = content.isFixed ? "yes" : ""
    wheelchair = showsLicence && content.usesWheelchair ? "yes" : ""
    (state, isOut) =
      switch record.state {
      case .entered: ("entered", false)
      case .checkedIn: ("checked in", false)
      case .didNotStart: ("did not start", true)
      case .didNotFinish: ("did not finish", true)
      case .active: ("active", false)
      case .withdrawn: ("withdrawn", true)
      case .disqualified: ("disqualified", true)
      }
  }
}

/// Words of files of entries, as the import reads them.
private enum EntryWords {
  /// The name of a number without the prefix of its names, as in `under-18`; empty for 0.
  static func word(_ number: Int32, _ schema: EnumSchema) -> String {
    guard number != 0, let name = schema.name(of: number), let zero = schema.name(of: 0) else {
      return ""
    }
    let prefix = zero.hasSuffix("UNSPECIFIED") ? zero.count - "UNSPECIFIED".count : 0
    return name.dropFirst(prefix).lowercased().replacing("_", with: "-")
  }
}

extension ScoreCardPaper.Pass {
  init(_ pass: PassDefinition) {
    self.init()
    let unit = pass.unit == .yard ? "yd" : "m"
    title =
      "\(Self.number(pass.distance)) \(unit), \(Self.number(pass.diameterCentimetres)) cm"
    arrowCount = pass.arrowCount
    arrowsPerEnd = pass.arrowsPerEnd
  }

  /// Without the point of a whole number.
  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1_000_000 ? "\(Int(value))" : "\(value)"
  }
}
