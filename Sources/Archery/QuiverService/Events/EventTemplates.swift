import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// Events of usual kinds, as clubs shoot them: the round of each bow, who shoots together, and how
/// matches are scored. The desk and `quiver event create` make events of them.
///
/// Sources: the rounds are those of ``RoundLibrary``; World Archery's Book 2 (qualification rounds,
/// matches of recurves by sets and of compounds by totals) and Book 3 (indoors); Archery GB's Rules
/// of Shooting (imperial and indoor rounds, ranked by score, hits and golds; after Portsmouth and
/// the other rounds of clubs no matches are prescribed).
enum EventTemplates {
  static let all: [EventTemplate] = [
    template(
      "wa18", "WA 18 m", .waIndoor, matches: true,
      [.recurve: "wa18", .compound: "wa18_compound", .barebow: "wa18", .longbow: "wa18"]),
    template(
      "wa25", "WA 25 m", .waIndoor, matches: true,
      [.recurve: "wa25", .compound: "wa25_compound", .barebow: "wa25", .longbow: "wa25"]),
    template(
      "wa70", "WA 70 m", .waOutdoor2026, matches: true, [.recurve: "wa720_70"]),
    template(
      "wa50", "WA 50 m compound", .waOutdoor2026, matches: true, [.compound: "wa720_50_c"]),
    template(
      "wa720", "WA 720 (70 m, 50 m)", .waOutdoor2026, matches: true,
      [.recurve: "wa720_70", .compound: "wa720_50_c", .barebow: "wa720_50_b"]),
    template(
      "wa1440", "WA 1440", .waOutdoor2026,
      [.recurve: "wa1440_90", .compound: "wa1440_90"],
      women: [.recurve: "wa1440_70", .compound: "wa1440_70"]),
    template(
      "portsmouth", "Portsmouth", .imperial,
      [
        .recurve: "portsmouth", .compound: "portsmouth_compound", .barebow: "portsmouth",
        .longbow: "portsmouth",
      ]),
    template(
      "worcester", "Worcester", .imperial,
      [
        .recurve: "worcester", .compound: "worcester", .barebow: "worcester",
        .longbow: "worcester",
      ]),
    template(
      "bray", "Bray I", .imperial,
      [
        .recurve: "bray_i", .compound: "bray_i_compound", .barebow: "bray_i", .longbow: "bray_i",
      ]),
    template(
      "frostbite", "Frostbite", .imperial,
      [
        .recurve: "frostbite", .compound: "frostbite", .barebow: "frostbite",
        .longbow: "frostbite",
      ]),
    imperial,
    template(
      "vegas", "Vegas 300", .xFirst,
      [.recurve: "vegas_300", .compound: "vegas_300", .barebow: "vegas_300"]),
  ]

  /// The bows with their letters in codes of World Archery, in the order of the categories.
  private static let bows: [(bow: Bowstyle, letter: String, name: String)] = [
    (.recurve, "R", "Recurve"), (.compound, "C", "Compound"), (.barebow, "B", "Barebow"),
    (.longbow, "L", "Longbow"),
  ]

  /// York for men, Hereford for women, and the Bristols for those under 18 and under 16, three on a
  /// target, who shoot together.
  private static var imperial: EventTemplate {
    var made = template(
      "york", "York, Hereford, Bristol", .imperial,
      [.recurve: "york", .compound: "york"], women: [.recurve: "hereford", .compound: "hereford"])
    made.archersPerTarget = 3
    made.details = ["ABC"]
    for (age, word, men, women) in [
      (AgeGroup.under18, "U18", "bristol_i", "bristol_ii"),
      (AgeGroup.under16, "U16", "bristol_ii", "bristol_iii"),
    ] {
      for (gender, format) in [(ArcherGender.female, women), (.open, men)] {
        var one = category(bows[0], gender, format, matches: false)
        one.ageGroup = age
        one.code = "R\(word)\(gender == .female ? "W" : "M")"
        one.name = "Recurve \(word) \(gender == .female ? "Women" : "Men")"
        made.categories.append(one)
      }
    }
    return made
  }

  /// Four on a target in two details. `women` are the rounds of women where they have others.
  private static func template(
    _ key: String, _ name: String, _ policy: QuiverAPI.TiePolicy, matches: Bool = false,
    _ rounds: [Bowstyle: String], women: [Bowstyle: String] = [:]
  ) -> EventTemplate {
    var made = EventTemplate()
    (made.key, made.name, made.tiePolicy) = (key, name, policy)
    made.archersPerTarget = 4
    made.details = ["AB", "CD"]
    for bow in bows {
      guard let round = rounds[bow.bow] else { continue }
      made.categories += [
        category(bow, .female, women[bow.bow] ?? round, matches: matches),
        category(bow, .open, round, matches: matches),
      ]
    }
    return made
  }

  private static func category(
    _ bow: (bow: Bowstyle, letter: String, name: String), _ gender: ArcherGender, _ round: String,
    matches: Bool
  ) -> EventTemplateCategory {
    var made = EventTemplateCategory()
    let isFemale = gender == .female
    made.code = bow.letter + (isFemale ? "W" : "M")
    made.name = "\(bow.name) \(isFemale ? "Women" : "Men")"
    (made.bowstyle, made.gender, made.format) = (bow.bow, gender, round)
    made.arrowsPerEnd = UInt32(RoundLibrary.format(round)?.passes.first?.arrowsPerEnd ?? 0)
    guard matches else { return made }
    // World Archery: matches of compounds are scored by totals, those of other bows by sets.
    let isCompound = bow.bow == .compound
    made.matchSystem = isCompound ? .individualCumulative : .individualSets
    made.teamSystem = isCompound ? .teamCumulative : .teamSets
    return made
  }
}

extension EventsService {
  var templateRoutes: [Route] { [.synchronous(Events.listEventTemplates, listTemplates)] }

  func listTemplates(
    _ request: ListEventTemplatesRequest, _ call: CallContext
  ) throws -> ListEventTemplatesResponse {
    _ = try call.storeCaller()
    return .with { $0.templates = EventTemplates.all }
  }
}
