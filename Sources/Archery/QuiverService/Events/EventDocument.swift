import QuiverAPI
import QuiverCalendar
import QuiverPapers
import QuiverRules
import QuiverStore

/// A paper or a file of an event, which is read part by part.
///
/// The event is divided into sections by category, session or stage. Each part reads the sections
/// that it has; a token names the row that the next part begins with.
struct EventDocument: Sendable {
  let store: Store
  let scope: EventDocumentScope
  let kind: EventDocumentKind
  let zone: CivilZone
  /// What each QR code begins with; empty: `quiver:`.
  let linkBase: String
  /// Of diplomas.
  let template: DiplomaTemplate
  /// Of papers.
  var language = PaperLanguage.english
  /// Of score cards.
  var cardsPerPage = 1

  static let kinds: [EventDocumentKind] = [
    .startList, .targetList, .scoreCards, .standings, .brackets, .medals, .resultBook, .diplomas,
    .entriesCSV, .standingsCSV, .matchesCSV, .sessionsCalendar,
  ]

  /// Those of whole categories.
  static let results: [EventDocumentKind] = [
    .standings, .brackets, .medals, .resultBook, .diplomas, .standingsCSV, .matchesCSV,
  ]

  /// The content of a section; the raw values are in tokens.
  enum Part: Int, Sendable {
    case entries = 1
    case targets = 2
    case cards = 3
    case standings = 4
    case bracket = 5
    case medals = 6
    case sessions = 7
    case teamMedals = 8
    case diplomas = 9
    case teamDiplomas = 10
    case pauses = 11
  }

  /// A section, by the id of the category, the session or the stage that it shows.
  struct Section: Sendable, Equatable {
    let part: Part
    let id: Int64
  }

  /// What all sections need of the event.
  struct Frame {
    let head: TournamentHead
    let categories: [EventCategoryRecord]
    let sessions: [EventSessionRecord]
    let stages: [EliminationStageRecord]
    /// Of the shooting, the first one first; of the result book only.
    let pauses: [ShootingPauseRecord]
    /// Of results of a finalised event: what is not finished.
    let openSteps: [EventProgress.Step]
    /// Whether the caller sees licences.
    let isOfficial: Bool
    /// Read once for a part.
    let entries: DocumentEntries
    /// With which devices join, by session and target; empty: the codes of score cards are others.
    let targetCodes: [Int64: [UInt32: String]]
  }

  func response(_ token: String) throws(StoreError) -> GetEventDocumentResponse {
    let (frame, place) = try store.read { (snapshot) throws(StoreError) in
      (try readFrame(snapshot), try snapshot.documentPlace(token, of: scope))
    }
    let sections = self.sections(frame)
    var response = GetEventDocumentResponse()
    response.mediaType = mediaType
    response.fileName = fileName
    var text = place == nil ? opening(frame) : ""
    var index = 0
    var row = place?.row ?? 0
    if let place {
      let section = Part(rawValue: place.part).map { Section(part: $0, id: place.id) }
      guard let found = sections.firstIndex(where: { $0 == section }) else { throw Self.changed }
      index = found
    }
    let limit = StoreLimits.documentPartByteCount
    let end = index + StoreLimits.documentPartSections
    var next: EventDocumentPlace?
    while index < sections.count, next == nil {
      let section = sections[index]
      if text.utf8.count >= limit || index == end {
        next = EventDocumentPlace(part: section.part.rawValue, id: section.id)
        break
      }
      let paper = try checkedPaper(section, frame)
      guard row <= paper.rowCount else { throw Self.changed }
      let part = paper.text(from: row, byteCount: limit - text.utf8.count)
      text += part.text
      next = part.next.map {
        EventDocumentPlace(part: section.part.rawValue, id: section.id, row: $0)
      }
      index += 1
      row = 0
    }
    if let next {
      response.nextPageToken = try store.read { (snapshot) throws(StoreError) in
        snapshot.documentToken(next, of: scope)
      }
    } else {
      text += closing
    }
    response.content = Array(text.utf8)
    return response
  }

  private static let changed = StoreError(
    .aborted, "the event has changed; begin again without it", field: "page_token")

  /// A section; what it shows may have been deleted since the frame was read.
  private func checkedPaper(
    _ section: Section, _ frame: Frame
  ) throws(StoreError) -> PaperSection {
    do throws(StoreError) {
      return try paper(section, frame)
    } catch {
      throw error.code == .notFound ? Self.changed : error
    }
  }

  private func readFrame(_ snapshot: borrowing Snapshot) throws(StoreError) -> Frame {
    let head = try snapshot.visibleTournament(id: scope.event, principal: scope.principal)
    var categories = try snapshot.categories(event: scope.event, principal: scope.principal)
    var sessions = try snapshot.eventSessions(event: scope.event, principal: scope.principal)
    var stages = try snapshot.stages(event: scope.event, principal: scope.principal)
    if scope.category != 0 {
      categories.removeAll { $0.id != scope.category }
      stages.removeAll { $0.category != scope.category }
      guard !categories.isEmpty else {
        throw StoreError(
          .notFound, "there is no such category of this event", field: "category_id")
      }
    }
    if scope.session != 0 {
      sessions.removeAll { $0.id != scope.session }
      guard !sessions.isEmpty else {
        throw StoreError(.notFound, "there is no such session of this event", field: "session_id")
      }
    }
    guard
      kind != .sessionsCalendar || sessions.contains(where: { $0.content.startsAtMilliseconds > 0 })
    else {
      throw StoreError(
        .failedPrecondition, "no session has a time, and a calendar must have one", field: "kind")
    }
    return Frame(
      head: head, categories: categories, sessions: sessions, stages: stages,
      pauses: kind == .resultBook ? try snapshot.pauses(event: scope.event).reversed() : [],
      openSteps: isOfResults
        ? try snapshot.unfinishedSteps(EventProgress.neededForResults, of: head) : [],
      isOfficial: try snapshot.isOfficial(scope.principal, of: scope.event),
      entries: DocumentEntries(store: store, scope: scope),
      targetCodes: try targetCodes(snapshot, sessions))
  }

  /// Those of score cards, where the caller may see them and devices join.
  private func targetCodes(
    _ snapshot: borrowing Snapshot, _ sessions: [EventSessionRecord]
  ) throws(StoreError) -> [Int64: [UInt32: String]] {
    guard kind == .scoreCards, !linkBase.isEmpty else { return [:] }
    var codes: [Int64: [UInt32: String]] = [:]
    for session in sessions {
      do throws(StoreError) {
        let found = try snapshot.targetCodes(
          event: scope.event, session: session.id, targets: nil, principal: scope.principal)
        codes[session.id] = Dictionary(found.map { ($0.target, $0.code) }) { first, _ in first }
      } catch  where [.permissionDenied, .failedPrecondition].contains(error.code) {
        return [:]
      }
    }
    return codes
  }

  private func sections(_ frame: Frame) -> [Section] {
    func all(_ part: Part, _ ids: [Int64]) -> [Section] { ids.map { Section(part: part, id: $0) } }
    let categories = frame.categories.map(\.id)
    let sessions = frame.sessions.map(\.id)
    let stages = frame.stages.map(\.id)
    let teamStages = Self.finalTeamStages(frame).map(\.id)
    let medals = all(.medals, categories) + all(.teamMedals, teamStages)
    switch kind {
    case .startList, .entriesCSV: return all(.entries, categories)
    case .targetList: return all(.targets, sessions)
    case .scoreCards: return all(.cards, sessions)
    case .standings, .standingsCSV: return all(.standings, categories)
    case .brackets, .matchesCSV: return all(.bracket, stages)
    case .medals: return medals
    case .resultBook:
      return all(.standings, categories) + all(.bracket, stages) + medals
        + (frame.pauses.isEmpty ? [] : all(.pauses, [scope.event]))
    case .diplomas: return all(.diplomas, categories) + all(.teamDiplomas, teamStages)
    case .sessionsCalendar: return all(.sessions, sessions)
    default: return []
    }
  }

  private func paper(_ section: Section, _ frame: Frame) throws(StoreError) -> PaperSection {
    switch section.part {
    case .entries: try entries(section.id, frame)
    case .targets: try targets(section.id, frame)
    case .cards: try cards(section.id, frame)
    case .standings: try standings(section.id, frame)
    case .bracket: try bracket(section.id, frame)
    case .medals:
      MedalPaper.section(
        try winners(ofCategory: section.id, 3, frame).medals, language: language)
    case .teamMedals:
      MedalPaper.section(try winners(ofStage: section.id, 3, frame).medals, language: language)
    case .diplomas: diplomas(try winners(ofCategory: section.id, scope.lastRank, frame), frame)
    case .teamDiplomas: diplomas(try winners(ofStage: section.id, scope.lastRank, frame), frame)
    case .sessions: calendar(section.id, frame)
    case .pauses: PausePaper.section(frame.pauses.map(paper), language: language)
    }
  }
}

/// The frame of a document.
extension EventDocument {
  /// A document of comma-separated values, and not a paper.
  var isCSV: Bool { [.entriesCSV, .standingsCSV, .matchesCSV].contains(kind) }

  private var mediaType: String {
    if isCSV { return "text/csv; charset=utf-8" }
    return kind == .sessionsCalendar
      ? "text/calendar; charset=utf-8" : "text/html; charset=utf-8"
  }

  private var fileName: String {
    let end = isCSV ? "csv" : kind == .sessionsCalendar ? "ics" : "html"
    let name = title.lowercased().replacing(" ", with: "-")
    return "event-\(scope.event)-\(name).\(end)"
  }

  private var title: String {
    switch kind {
    case .startList: "Start list"
    case .targetList: "Target list"
    case .scoreCards: "Score cards"
    case .standings, .standingsCSV: "Standings"
    case .brackets: "Brackets"
    case .medals: "Medals"
    case .resultBook: "Results"
    case .diplomas: "Diplomas"
    case .entriesCSV: "Entries"
    case .matchesCSV: "Matches"
    default: "Sessions"
    }
  }

  private func opening(_ frame: Frame) -> String {
    switch kind {
    case .entriesCSV: return EntryLines.header
    case .standingsCSV: return StandingsLines.header
    case .matchesCSV: return MatchLines.header
    case .sessionsCalendar: return CalendarText.opening
    default: break
    }
    var sheet = PaperSheet()
    sheet.event = frame.head.name.isEmpty ? "Event \(scope.event)" : frame.head.name
    sheet.title = language(title)
    sheet.language = language
    sheet.cardsPerPage = kind == .scoreCards ? cardsPerPage : 1
    sheet.isLandscape = kind == .brackets || sheet.cardsPerPage == 4
    sheet.hasOwnHeads = [.scoreCards, .diplomas].contains(kind)
    var note = "\(time(store.nowMilliseconds)), \(Markup.escaped(zone.name))"
    if isOfResults, frame.head.status != .completed { note += " · " + language("provisional") }
    sheet.notes = [note]
    if !frame.openSteps.isEmpty {
      sheet.notes.append(
        language("Not finished") + ": " + frame.openSteps.map(\.missing).joined(separator: ", "))
    }
    return sheet.opening
  }

  /// Whether it is a paper with results.
  private var isOfResults: Bool {
    [.standings, .brackets, .medals, .resultBook, .diplomas].contains(kind)
  }

  private var closing: String {
    if isCSV { return "" }
    return kind == .sessionsCalendar ? CalendarText.closing : PaperSheet.closing
  }

  /// As in `2026-05-23 09:30`, in the zone of the document.
  func time(_ milliseconds: Int64) -> String {
    PaperTime(zone.localMilliseconds(of: milliseconds)).text
  }
}
