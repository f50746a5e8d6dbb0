public import QuiverProtobuf

/// A session of an event: the archers who shoot at the same time.
public struct EventSession: Message {
  /// The id, assigned by the server; from the server.
  public var id: Int64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The name; 1 to 200 characters.
  public var name = ""
  /// The start, in milliseconds since 1970-01-01 UTC; 0: not known.
  public var startsAtMilliseconds: Int64 = 0
  /// The first target; from 1.
  public var firstTarget: UInt32 = 0
  /// The last target; at most 9,999, and 200 targets in all.
  public var lastTarget: UInt32 = 0
  /// The archers per target; 1 to 4; with 3 or 4 they shoot as AB and CD.
  public var archersPerTarget: UInt32 = 0
  /// The draw seed; from the server; of the latest draw at random.
  public var drawSeed: UInt64 = 0
  /// The time of the latest draw, in milliseconds since 1970-01-01 UTC; from the server; 0: not
  /// yet.
  public var drawnAtMilliseconds: Int64 = 0
  /// The entry count; from the server.
  public var entryCount: UInt32 = 0
  /// The revision, from 1.
  public var revision: UInt64 = 0
  /// Which round of its category an entry shoots in it, from 1; 0: 1.
  public var round: UInt32 = 0
  /// Places as `4C`, and whole targets as `4`, that nobody gets; from the server.
  public var blockedPlaces: [String] = []
  /// Targets to which archers in wheelchairs are drawn first; from the server.
  public var wheelchairTargets: [UInt32] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventSession",
    .int64(1, "id", \.id), .int64(2, "tournament_id", \.tournamentID), .string(3, "name", \.name),
    .int64(4, "starts_at_ms", \.startsAtMilliseconds), .uint32(5, "first_target", \.firstTarget),
    .uint32(6, "last_target", \.lastTarget), .uint32(7, "archers_per_target", \.archersPerTarget),
    .uint64(8, "draw_seed", \.drawSeed), .int64(9, "drawn_at_ms", \.drawnAtMilliseconds),
    .uint32(10, "entry_count", \.entryCount), .uint64(11, "revision", \.revision),
    .uint32(12, "round", \.round), .strings(13, "blocked_places", \.blockedPlaces),
    .uint32s(14, "wheelchair_targets", \.wheelchairTargets))
}

/// Sets which places of a session nobody gets, and which targets are for archers in wheelchairs.
public struct SetSessionPlacesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the session.
  public var sessionID: Int64 = 0
  /// Places as `4C`, and whole targets as `4`; at most 1,000.
  public var blockedPlaces: [String] = []
  /// Targets to which archers in wheelchairs are drawn first; at most 200.
  public var wheelchairTargets: [UInt32] = []
  /// The revision of the session, as it was read: a session that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetSessionPlacesRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "session_id", \.sessionID),
    .strings(3, "blocked_places", \.blockedPlaces),
    .uint32s(4, "wheelchair_targets", \.wheelchairTargets),
    .uint64(5, "expected_revision", \.expectedRevision))
}

/// Adds a session to an event.
public struct CreateEventSessionRequest: Message {
  /// The session.
  public var session: EventSession?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateEventSessionRequest",
    .message(1, "session", \.session))
}

/// Replaces the fields of a session.
public struct UpdateEventSessionRequest: Message {
  /// The session; with its id, its tournament_id and the revision that was read.
  public var session: EventSession?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateEventSessionRequest",
    .message(1, "session", \.session))
}

/// Deletes a session without entries.
public struct DeleteEventSessionRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the session.
  public var sessionID: Int64 = 0
  /// The revision of the session, as it was read: a session that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteEventSessionRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "session_id", \.sessionID),
    .uint64(3, "expected_revision", \.expectedRevision))
}

/// The session is deleted.
public struct DeleteEventSessionResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteEventSessionResponse")
}

/// Requests all sessions of an event.
public struct ListEventSessionsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventSessionsRequest",
    .int64(1, "tournament_id", \.tournamentID))
}

/// All sessions of an event.
public struct ListEventSessionsResponse: Message {
  /// The sessions; at most 100.
  public var sessions: [EventSession] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventSessionsResponse",
    .messages(1, "sessions", \.sessions))
}

/// How entries are drawn to places.
public struct DrawMethod: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// The archers of a club on as many targets as possible.
  public static let random = Self(rawValue: 1)
  /// The best on the first target; equal ones by their ids.
  public static let ranking = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.DrawMethod",
    [
      (0, "DRAW_METHOD_UNSPECIFIED"), (1, "DRAW_METHOD_RANDOM"), (2, "DRAW_METHOD_RANKING"),
    ])
}

/// Draws entries to places.
public struct DrawTargetsRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the session.
  public var sessionID: Int64 = 0
  /// The id of the category; 0: all entries of the session.
  public var categoryID: Int64 = 0
  /// The method.
  public var method = DrawMethod.unspecified
  /// The first target; 0: the first of the session.
  public var firstTarget: UInt32 = 0
  /// The last target; 0: the last of the session.
  public var lastTarget: UInt32 = 0
  /// The seed; the same seed draws the same places for the same entries; 0: a new one.
  public var seed: UInt64 = 0
  /// Whether entries that have a place are drawn again; entries that have a place too.
  public var redraw = false
  /// Whether entries that have no session in the round of this one are drawn too.
  public var includeWaiting = false
  /// The sum of the revisions of all entries of the session, as they were read, modulo 2^64:
  /// another one is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DrawTargetsRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "session_id", \.sessionID),
    .int64(3, "category_id", \.categoryID), .enum(4, "method", \.method),
    .uint32(5, "first_target", \.firstTarget), .uint32(6, "last_target", \.lastTarget),
    .uint64(7, "seed", \.seed), .bool(8, "redraw", \.redraw),
    .bool(9, "include_waiting", \.includeWaiting),
    .uint64(10, "expected_revision", \.expectedRevision))
}

/// The places that were drawn.
public struct DrawTargetsResponse: Message {
  /// The entries; those that were drawn, by target and letter.
  public var entries: [EventEntry] = []
  /// The seed; 0: not at random.
  public var seed: UInt64 = 0
  /// Targets of the session whose archers shoot at different distances or faces.
  public var mixedTargets: [MixedTarget] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DrawTargetsResponse",
    .messages(1, "entries", \.entries), .uint64(2, "seed", \.seed),
    .messages(3, "mixed_targets", \.mixedTargets))
}

/// A target whose archers cannot shoot at one butt.
public struct MixedTarget: Message {
  /// The number of the target.
  public var target: UInt32 = 0
  /// Whether they shoot at different distances.
  public var distances = false
  /// Whether they shoot at different faces.
  public var faces = false

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.MixedTarget", .uint32(1, "target", \.target), .bool(2, "distances", \.distances),
    .bool(3, "faces", \.faces))
}

/// Moves an entry to a place.
public struct PlaceEventEntryRequest: Message {
  /// The id of the participant.
  public var participantID: Int64 = 0
  /// The id of the session.
  public var sessionID: Int64 = 0
  /// The target; 0: no place.
  public var target: UInt32 = 0
  /// The letter; A to D.
  public var letter = ""
  /// Whether two entries swap places: the entry that has the place gets the old one.
  public var swap = false
  /// The revision of the entry, as it was read: an entry that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0
  /// With `swap` the revision of who has the place: nobody there, or somebody else, is ABORTED; 0:
  /// anybody.
  public var otherRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.PlaceEventEntryRequest",
    .int64(1, "participant_id", \.participantID), .int64(2, "session_id", \.sessionID),
    .uint32(3, "target", \.target), .string(4, "letter", \.letter), .bool(5, "swap", \.swap),
    .uint64(6, "expected_revision", \.expectedRevision),
    .uint64(7, "other_revision", \.otherRevision))
}
