public import QuiverProtobuf

/// What a document of an event is.
public struct EventDocumentKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// HTML: the entries by category and name.
  public static let startList = Self(rawValue: 1)
  /// HTML: the entries by session and target.
  public static let targetList = Self(rawValue: 2)
  /// HTML: a score card for each entry of a session, with a QR code of its target.
  public static let scoreCards = Self(rawValue: 3)
  /// HTML: the standings by category.
  public static let standings = Self(rawValue: 4)
  /// HTML: the brackets.
  public static let brackets = Self(rawValue: 5)
  /// HTML: the medals by category, then those of teams.
  public static let medals = Self(rawValue: 6)
  /// HTML: standings, brackets, medals and pauses of the shooting.
  public static let resultBook = Self(rawValue: 7)
  /// HTML: a page for each archer or team of the first ranks.
  public static let diplomas = Self(rawValue: 8)
  /// CSV: the entries.
  public static let entriesCSV = Self(rawValue: 16)
  /// CSV: the standings by category.
  public static let standingsCSV = Self(rawValue: 17)
  /// CSV: the matches of all brackets.
  public static let matchesCSV = Self(rawValue: 18)
  /// The sessions that have a time as iCalendar.
  public static let sessionsCalendar = Self(rawValue: 19)

  public static let schema = EnumSchema(
    "quiver.v1.EventDocumentKind",
    [
      (0, "EVENT_DOCUMENT_KIND_UNSPECIFIED"), (1, "EVENT_DOCUMENT_KIND_START_LIST"),
      (2, "EVENT_DOCUMENT_KIND_TARGET_LIST"), (3, "EVENT_DOCUMENT_KIND_SCORE_CARDS"),
      (4, "EVENT_DOCUMENT_KIND_STANDINGS"), (5, "EVENT_DOCUMENT_KIND_BRACKETS"),
      (6, "EVENT_DOCUMENT_KIND_MEDALS"), (7, "EVENT_DOCUMENT_KIND_RESULT_BOOK"),
      (8, "EVENT_DOCUMENT_KIND_DIPLOMAS"),
      (16, "EVENT_DOCUMENT_KIND_ENTRIES_CSV"), (17, "EVENT_DOCUMENT_KIND_STANDINGS_CSV"),
      (18, "EVENT_DOCUMENT_KIND_MATCHES_CSV"), (19, "EVENT_DOCUMENT_KIND_SESSIONS_CALENDAR"),
    ])
}

/// Requests a part of a document of an event.
public struct GetEventDocumentRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// What the document is.
  public var kind = EventDocumentKind.unspecified
  /// The id of the only category; 0: all.
  public var categoryID: Int64 = 0
  /// The id of the only session; 0: all. For lists of entries, score cards and the calendar.
  public var sessionID: Int64 = 0
  /// The IANA zone in which times are shown; empty: UTC.
  public var timeZone = ""
  /// Of score cards: an address that each QR code begins with; empty: `quiver:`.
  public var linkBase = ""
  /// The next page token of the previous part; empty for the first. It is valid only with the same
  /// other fields.
  public var pageToken = ""
  /// Of diplomas: lines with `{event}`, `{name}`, `{members}`, `{club}`, `{country}`, `{category}`,
  /// `{rank}`, `{place}` (as in 1st) and `{date}`; a line whose values are all empty is left out.
  /// At most 2,000 bytes; empty: a text in English.
  public var diplomaText = ""
  /// Of diplomas: the last rank that gets one, at most 1,000; 0: 3.
  public var diplomaRanks: UInt32 = 0
  /// Of score cards: two for each entry, one for each scorer.
  public var bothScorers = false
  /// Of score cards: 1, 2 or 4; 0: 1.
  public var cardsPerPage: UInt32 = 0
  /// Of papers, for the words of this program: `en`, `de`, `fr` or `it`; empty: `en`. Lists for
  /// programs have none.
  public var language = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetEventDocumentRequest",
    .int64(1, "tournament_id", \.tournamentID), .enum(2, "kind", \.kind),
    .int64(3, "category_id", \.categoryID), .int64(4, "session_id", \.sessionID),
    .string(5, "time_zone", \.timeZone), .string(6, "link_base", \.linkBase),
    .string(7, "page_token", \.pageToken), .string(8, "diploma_text", \.diplomaText),
    .uint32(9, "diploma_ranks", \.diplomaRanks), .bool(10, "both_scorers", \.bothScorers),
    .uint32(11, "cards_per_page", \.cardsPerPage), .string(12, "language", \.language))
}

/// A part of a document. The parts one after another are the document.
public struct GetEventDocumentResponse: Message {
  /// The bytes, in UTF-8; about 512 KiB at most.
  public var content: [UInt8] = []
  /// The token of the next part; empty if this is the last one.
  public var nextPageToken = ""
  /// As in `text/html; charset=utf-8`.
  public var mediaType = ""
  /// A name for the file, of ASCII letters, digits, hyphens and one point.
  public var fileName = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.GetEventDocumentResponse", .bytes(1, "content", \.content),
    .string(2, "next_page_token", \.nextPageToken), .string(3, "media_type", \.mediaType),
    .string(4, "file_name", \.fileName))
}
