public import QuiverProtobuf

/// A part of an event that is ranked by itself.
public struct EventCategory: Message {
  /// The id, assigned by the server; from the server.
  public var id: Int64 = 0
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The code; 1 to 16 characters, for example RM or CU18W; unique in the event.
  public var code = ""
  /// The name; at most 200 characters.
  public var name = ""
  /// The bowstyle; optional.
  public var bowstyle = Bowstyle.unspecified
  /// The gender; optional.
  public var gender = ArcherGender.unspecified
  /// The age group; optional.
  public var ageGroup = AgeGroup.unspecified
  /// The format; from the server.
  public var format: RoundFormat?
  /// Whether the format is its own; from the server; false: the format of the event.
  public var ownFormat = false
  /// The tie policy; unspecified: the event's.
  public var tiePolicy = TiePolicy.unspecified
  /// The entry count; from the server.
  public var entryCount: UInt32 = 0
  /// Whether it is the first category; from the server; participants without a category are in it.
  public var isFirst = false
  /// The revision, from 1.
  public var revision: UInt64 = 0
  /// The rounds of the qualification in their order; from the server; the format has all of them,
  /// one after another.
  public var rounds: [QualificationRound] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventCategory",
    .int64(1, "id", \.id), .int64(2, "tournament_id", \.tournamentID), .string(3, "code", \.code),
    .string(4, "name", \.name), .enum(5, "bowstyle", \.bowstyle), .enum(6, "gender", \.gender),
    .enum(7, "age_group", \.ageGroup), .message(8, "format", \.format),
    .bool(9, "own_format", \.ownFormat), .enum(10, "tie_policy", \.tiePolicy),
    .uint32(11, "entry_count", \.entryCount), .bool(12, "is_first", \.isFirst),
    .uint64(13, "revision", \.revision), .messages(14, "rounds", \.rounds))
}

/// Adds a category to an event.
public struct CreateEventCategoryRequest: Message {
  /// The category.
  public var category: EventCategory?
  /// The format; absent: the format of the event.
  public var format: FormatReference?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CreateEventCategoryRequest",
    .message(1, "category", \.category), .message(2, "format", \.format))
}

/// Replaces the fields of a category.
public struct UpdateEventCategoryRequest: Message {
  /// The category; with its id, its tournament_id and the revision that was read.
  public var category: EventCategory?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.UpdateEventCategoryRequest",
    .message(1, "category", \.category))
}

/// Deletes a category without entries.
public struct DeleteEventCategoryRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0
  /// The id of the category.
  public var categoryID: Int64 = 0
  /// The revision of the category, as it was read: a category that differs is ABORTED; 0: any.
  public var expectedRevision: UInt64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteEventCategoryRequest",
    .int64(1, "tournament_id", \.tournamentID), .int64(2, "category_id", \.categoryID),
    .uint64(3, "expected_revision", \.expectedRevision))
}

/// The category is deleted.
public struct DeleteEventCategoryResponse: Message {
  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.DeleteEventCategoryResponse")
}

/// Requests all categories of an event.
public struct ListEventCategoriesRequest: Message {
  /// The id of the tournament.
  public var tournamentID: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventCategoriesRequest",
    .int64(1, "tournament_id", \.tournamentID))
}

/// All categories of an event.
public struct ListEventCategoriesResponse: Message {
  /// The categories; by id; at most 200.
  public var categories: [EventCategory] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventCategoriesResponse",
    .messages(1, "categories", \.categories))
}
