/// Which papers and files of an event a caller reads, part by part.
package struct EventDocumentScope: Sendable {
  package let principal: Int64
  package let event: Int64
  /// The raw value of `quiver.v1.EventDocumentKind`.
  package let kind: Int32
  /// 0: all.
  package let category: Int64
  package let session: Int64
  /// Of diplomas.
  package let lastRank: Int
  /// Of score cards: whether each scorer has one.
  package let bothScorers: Bool

  package init(
    principal: Int64, event: Int64, kind: Int32, category: Int64, session: Int64, lastRank: Int,
    bothScorers: Bool = false
  ) {
    self.principal = principal
    self.event = event
    self.kind = kind
    self.category = category
    self.session = session
    self.lastRank = lastRank
    self.bothScorers = bothScorers
  }

  var token: PageToken {
    PageToken(scope: [
      .text("event document"), .integer(principal), .integer(event), .integer(Int64(kind)),
      .integer(category), .integer(session), .integer(Int64(lastRank)),
      .integer(bothScorers ? 1 : 0),
    ])
  }
}

/// Where a part of a document begins: a row of a section.
package struct EventDocumentPlace: Sendable, Equatable {
  /// The kind of the section, and the id of what it shows.
  package var part: Int
  package var id: Int64
  package var row: Int

  package init(part: Int, id: Int64, row: Int = 0) {
    self.part = part
    self.id = id
    self.row = row
  }
}

/// Reads that papers and files of events need.
extension Snapshot {
  /// All entries of a part of an event that the principal may see, by the id of their participant.
  package func allEventEntries(
    event: Int64, _ filter: EntryFilter, principal: Int64
  ) throws(StoreError) -> [EventEntryRecord] {
    let reader = try nameReader(
      of: try visibleTournament(id: event, principal: principal), principal: principal)
    return try eventEntries(event: event, filter, limit: .max).map { $0.shown(to: reader) }
  }

  /// The place in a token of the same document; nil without a token.
  package func documentPlace(
    _ text: String, of scope: EventDocumentScope
  ) throws(StoreError) -> EventDocumentPlace? {
    guard let found = try scope.token.textPlace(in: text, key: pageTokenKey) else { return nil }
    let numbers = found.text.split(separator: ".").map { Int($0) }
    guard numbers.count == 2, let part = numbers[0], let row = numbers[1] else {
      throw .invalid("page_token", "belongs to another list; begin again without it")
    }
    return EventDocumentPlace(part: part, id: found.id, row: row)
  }

  /// The token of a place.
  package func documentToken(
    _ place: EventDocumentPlace, of scope: EventDocumentScope
  ) -> String {
    scope.token.text(
      place: PageToken.place("\(place.part).\(place.row)", id: place.id), key: pageTokenKey)
  }
}

extension Store {
  /// The time of the store's clock, in milliseconds since 1970-01-01 UTC.
  package var nowMilliseconds: Int64 { clock.wallMilliseconds() }
}
