public import QuiverProtobuf

/// What an event of a usual kind consists of.
///
/// An event is created from it by the calls that create events, categories and sessions; each part
/// can be another one then.
public struct EventTemplate: Message {
  /// As in `wa18`.
  public var key = ""
  /// As people call it, in English.
  public var name = ""
  /// The policy that ranks archers.
  public var tiePolicy = TiePolicy.unspecified
  /// 1 to 4.
  public var archersPerTarget: UInt32 = 0
  /// Who shoots together: the letters of each detail, in the order of the first end.
  public var details: [String] = []
  /// The first one has the round of the event.
  public var categories: [EventTemplateCategory] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventTemplate", .string(1, "key", \.key), .string(2, "name", \.name),
    .enum(3, "tie_policy", \.tiePolicy), .uint32(4, "archers_per_target", \.archersPerTarget),
    .strings(5, "details", \.details), .messages(6, "categories", \.categories))
}

/// A category of a template.
public struct EventTemplateCategory: Message {
  /// As in `RM`.
  public var code = ""
  /// As people call it, in English.
  public var name = ""
  /// The bow of its archers.
  public var bowstyle = Bowstyle.unspecified
  /// Their gender.
  public var gender = ArcherGender.unspecified
  /// Their age.
  public var ageGroup = AgeGroup.unspecified
  /// The codename of its round.
  public var format = ""
  /// The arrows of an end of the first distance.
  public var arrowsPerEnd: UInt32 = 0
  /// How the matches are scored that follow; unspecified: usually none follow.
  public var matchSystem = MatchSystem.unspecified
  /// The same of teams.
  public var teamSystem = MatchSystem.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.EventTemplateCategory", .string(1, "code", \.code), .string(2, "name", \.name),
    .enum(3, "bowstyle", \.bowstyle), .enum(4, "gender", \.gender),
    .enum(5, "age_group", \.ageGroup), .string(6, "format", \.format),
    .uint32(7, "arrows_per_end", \.arrowsPerEnd), .enum(8, "match_system", \.matchSystem),
    .enum(9, "team_system", \.teamSystem))
}

/// Requests the templates of events.
public struct ListEventTemplatesRequest: Message {
  public init() {}

  public static let schema = Schema<Self>("quiver.v1.ListEventTemplatesRequest")
}

/// The templates of events.
public struct ListEventTemplatesResponse: Message {
  /// In the order in which they are offered.
  public var templates: [EventTemplate] = []

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListEventTemplatesResponse", .messages(1, "templates", \.templates))
}
