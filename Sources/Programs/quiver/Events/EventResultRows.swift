import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC

/// The archers of an event with their totals and categories.
struct EventResultRows: Sendable {
  /// By rank; of the whole event. Their entries have the licences, which standings leave out.
  private(set) var rows: [CategoryStandingsRow] = []
  /// In their order.
  private(set) var categories: [EventCategory] = []
  /// That of the event.
  private(set) var policy = TiePolicy.unspecified

  static func read(_ tournament: Int64, _ access: Access) async throws(Failure) -> Self {
    var found = Self()
    found.categories = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(
        Events.listEventCategories, .with { $0.tournamentID = tournament })
    }.categories
    var request = GetCategoryStandingsRequest()
    request.tournamentID = tournament
    request.pageSize = 500
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Events.getCategoryStandings, wanted)
      }
      found.rows += page.rows
      found.policy = page.policy?.policy ?? .unspecified
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    let entries = Dictionary(
      try await entries(tournament, access).map { ($0.participantID, $0) }
    ) { first, _ in first }
    for index in found.rows.indices {
      let id = found.rows[index].row?.participantID ?? 0
      if let entry = entries[id] { found.rows[index].entry = entry }
    }
    return found
  }

  /// All entries of an event.
  static func entries(
    _ tournament: Int64, _ access: Access
  ) async throws(Failure) -> [EventEntry] {
    var request = ListEventEntriesRequest()
    request.tournamentID = tournament
    request.pageSize = 500
    var entries: [EventEntry] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Events.listEventEntries, wanted)
      }
      entries += page.entries
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return entries
  }

  /// The category of an entry; nil if the event has none.
  func category(of entry: EventEntry) -> EventCategory? {
    categories.first { entry.categoryID == 0 ? $0.isFirst : $0.id == entry.categoryID }
  }
}
