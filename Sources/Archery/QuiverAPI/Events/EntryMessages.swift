public import QuiverProtobuf

/// The state of an entry. The first four are set by officials; an entry that shoots, has withdrawn
/// or is disqualified shows that.
public struct EventEntryState: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Entered.
  public static let entered = Self(rawValue: 1)
  /// Checked in.
  public static let checkedIn = Self(rawValue: 2)
  /// Not ranked.
  public static let didNotStart = Self(rawValue: 3)
  /// Did not finish.
  public static let didNotFinish = Self(rawValue: 4)
  /// Active.
  public static let active = Self(rawValue: 5)
  /// Withdrawn.
  public static let withdrawn = Self(rawValue: 6)
  /// Disqualified.
  public static let disqualified = Self(rawValue: 7)

  public static let schema = EnumSchema(
    "quiver.v1.EventEntryState",
    [
      (0, "EVENT_ENTRY_STATE_UNSPECIFIED"), (1, "EVENT_ENTRY_STATE_ENTERED"),
      (2, "EVENT_ENTRY_STATE_CHECKED_IN"), (3, "EVENT_ENTRY_STATE_DID_NOT_START"),
      (4, "EVENT_ENTRY_STATE_DID_NOT_FINISH"), (5, "EVENT_ENTRY_STATE_ACTIVE"),
      (6, "EVENT_ENTRY_STATE_WITHDRAWN"), (7, "EVENT_ENTRY_STATE_DISQUALIFIED"),
    ])
}

/// The faces of one archer.
public struct FaceLayout: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Unspecified.
  public static let unspecified = Self(rawValue: 0)
  /// One face.
  public static let single = Self(rawValue: 1)
  /// Three faces below each other.
  public static let triple = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.FaceLayout",
    [
      (0, "FACE_LAYOUT_UNSPECIFIED"), (1, "FACE_LAYOUT_SINGLE"), (2, "FACE_LAYOUT_TRIPLE"),
    ])
}

/// A participant as an entry of an event.
public struct EventEntry: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The shown name.
  public var displayName = ""
  /// The bib; at most 16 characters; unique in the event; may be empty.
  public var bib = ""
  /// The club; at most 100 characters.
  public var club = ""
  /// The country; at most 100 characters.
  public var country = ""
  /// The licence; at most 100 characters; only for officials of the event.
  public var licence = ""
  /// The id of the category.
  public var categoryID: Int64 = 0
  /// The category code.
  public var categoryCode = ""
  /// The id of the session of the first round; of the entries of a session, and in replies that
  /// place them, that session; 0: none.
  public var sessionID: Int64 = 0
  /// The target; 0: no place.
  public var target: UInt32 = 0
  /// The letter; A to D.
  public var letter = ""
  /// The state.
  public var state = EventEntryState.unspecified
  /// Its sessions and places in the rounds after the first; from the server.
  public var laterPlaces: [EventRoundPlace] = []
  /// The bowstyle for classes and records; unspecified: that of the category.
  public var bowstyle = Bowstyle.unspecified
  /// The gender for classes and records; unspecified: that of the category.
  public var gender = ArcherGender.unspecified
  /// The age group for classes, records and the public name; unspecified: that of the category.
  public var ageGroup = AgeGroup.unspecified
  /// The faces that the archer shoots at; unspecified: as the round says.
  public var faceLayout = FaceLayout.unspecified
  /// How the name is shown to who has no part in the event; unspecified: as the event says. Only
  /// for those who have one.
  public var publicName = PublicName.unspecified
  /// What is shown to them, if not the name; only for those who have a part in the event.
  public var publicDisplayName = ""
  /// Whether draws leave its place to it.
  public var fixedPlace = false
  /// Whether it is drawn to a target for wheelchairs; only for officials and the archer.
  public var wheelchair = false
  /// The revision of all of it but its arrows: another one for another content; not 0. Only for
  /// officials.
  public var revision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventEntry",
    .int64(1, "participant_id", \.participantID), .int64(2, "tournament_id", \.tournamentID),
    .string(3, "display_name", \.displayName), .string(4, "bib", \.bib), .string(5, "club", \.club),
    .string(6, "country", \.country), .string(7, "licence", \.licence),
    .int64(8, "category_id", \.categoryID), .string(9, "category_code", \.categoryCode),
    .int64(10, "session_id", \.sessionID), .uint32(11, "target", \.target),
    .string(12, "letter", \.letter), .enum(13, "state", \.state),
    .messages(14, "later_places", \.laterPlaces), .enum(15, "bowstyle", \.bowstyle),
    .enum(16, "gender", \.gender), .enum(17, "age_group", \.ageGroup),
    .enum(18, "face_layout", \.faceLayout), .enum(19, "public_name", \.publicName),
    .string(20, "public_display_name", \.publicDisplayName),
    .bool(21, "fixed_place", \.fixedPlace), .bool(22, "wheelchair", \.wheelchair),
    .uint64(23, "revision", \.revision))
}

/// An entry to add.
public struct EventEntryDraft: Message {
  /// The client id; UUIDv7 of the participant from the client; optional.
  public var clientID: [UInt8] = []
  /// The name; 1 to 50 characters.
  public var name = ""
  /// The bib.
  public var bib = ""
  /// The club.
  public var club = ""
  /// The country.
  public var country = ""
  /// The licence.
  public var licence = ""
  /// The category code; empty: the first category.
  public var categoryCode = ""
  /// The id of the session; 0: none.
  public var sessionID: Int64 = 0
  /// The target in the session; 0: it waits for a draw.
  public var target: UInt32 = 0
  /// The letter; A to D; with a target.
  public var letter = ""
  /// The bowstyle; unspecified: that of the category.
  public var bowstyle = Bowstyle.unspecified
  /// The gender; unspecified: that of the category.
  public var gender = ArcherGender.unspecified
  /// The age group; unspecified: that of the category.
  public var ageGroup = AgeGroup.unspecified
  /// The faces that the archer shoots at; unspecified: as the round says.
  public var faceLayout = FaceLayout.unspecified
  /// How the name is shown to who has no part in the event; unspecified: as the event says.
  public var publicName = PublicName.unspecified
  /// Whether draws leave its place to it.
  public var fixedPlace = false
  /// Whether it is drawn to a target for wheelchairs first.
  public var wheelchair = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventEntryDraft",
    .bytes(1, "client_id", \.clientID), .string(2, "name", \.name), .string(3, "bib", \.bib),
    .string(4, "club", \.club), .string(5, "country", \.country), .string(6, "licence", \.licence),
    .string(7, "category_code", \.categoryCode), .int64(8, "session_id", \.sessionID),
    .uint32(9, "target", \.target), .string(10, "letter", \.letter),
    .enum(11, "bowstyle", \.bowstyle), .enum(12, "gender", \.gender),
    .enum(13, "age_group", \.ageGroup), .enum(14, "face_layout", \.faceLayout),
    .enum(15, "public_name", \.publicName), .bool(16, "fixed_place", \.fixedPlace),
    .bool(17, "wheelchair", \.wheelchair))
}

/// Adds entries without an account.
public struct ImportEventEntriesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The entries; 1 to 1,000.
  public var entries: [EventEntryDraft] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportEventEntriesRequest",
    .int64(1, "tournament_id", \.tournamentID), .messages(2, "entries", \.entries))
}

/// The entries that were added or existed.
public struct ImportEventEntriesResponse: Message {
  /// The entries; in the order of the request.
  public var entries: [EventEntry] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ImportEventEntriesResponse",
    .messages(1, "entries", \.entries))
}

/// Changes fields of an entry.
public struct UpdateEventEntryRequest: Message {
  /// The entry; with its participant_id.
  public var entry: EventEntry?
  /// The update mask. Names of display_name, bib, club, country, licence, category_id, session_id,
  /// bowstyle, gender, age_group, face_layout, public_name, fixed_place and wheelchair.
  public var updateMask: [String] = []
  /// The revision of the entry, as it was read: an entry that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateEventEntryRequest",
    .message(1, "entry", \.entry), .strings(2, "update_mask", \.updateMask),
    .uint64(3, "expected_revision", \.expectedRevision))
}

/// Requests a page of entries.
public struct ListEventEntriesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category; 0: all.
  public var categoryID: Int64 = 0
  /// The id of the session; 0: all.
  public var sessionID: Int64 = 0
  /// The club; empty: all.
  public var club = ""
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500; 0: 50;
  /// above 500: 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. It is valid only with the
  /// same other fields; from the previous page; valid only with the same other fields.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventEntriesRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "category_id", \.categoryID),
    .int64(3, "session_id", \.sessionID), .string(4, "club", \.club),
    .uint32(5, "page_size", \.pageSize), .string(6, "page_token", \.pageToken))
}

/// A page of entries.
public struct ListEventEntriesResponse: Message {
  /// The entries.
  public var entries: [EventEntry] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventEntriesResponse",
    .messages(1, "entries", \.entries), .string(2, "next_page_token", \.nextPageToken))
}

/// Sets the state of an entry.
public struct SetEventEntryStateRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The state; ENTERED, CHECKED_IN, DID_NOT_START or DID_NOT_FINISH.
  public var state = EventEntryState.unspecified
  /// The reason; at most 200 characters.
  public var reason = ""
  /// The revision of the entry, as it was read: an entry that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetEventEntryStateRequest",
    .int64(1, "participant_id", \.participantID), .enum(2, "state", \.state),
    .string(3, "reason", \.reason),
    .uint64(4, "expected_revision", \.expectedRevision))
}
