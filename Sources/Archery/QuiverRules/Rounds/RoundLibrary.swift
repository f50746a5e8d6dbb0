/// The published rounds: definitions of archeryutils 3.0.0 (`round_data_files`), MIT, and others
/// with the source that their file names.
public enum RoundLibrary {
  /// World Archery's and the best known of other organisations first, then by organisation.
  public static let formats: [RoundDefinition] =
    outdoor + indoor + experimental + other + archeryGB + field + american + practice + australian

  /// The format of that codename; nil if there is none.
  public static func format(_ codename: String) -> RoundDefinition? { byCodename[codename] }

  private static let byCodename = Dictionary(
    uniqueKeysWithValues: formats.map { ($0.codename, $0) })

  /// A round whose passes are given as arrows, face, centimetres and distance.
  private static func round(
    _ codename: String, _ name: String, _ location: RoundVenue, _ body: String,
    family: String = "", unit: LengthUnit = .metre,
    _ passes: [(arrows: Int, face: TargetFace, centimetres: Double, distance: Double)]
  ) -> RoundDefinition {
    RoundDefinition(
      codename: codename, name: name, location: location, body: body, family: family,
      passes: passes.map { pass in
        PassDefinition(
          arrowCount: pass.arrows, arrowsPerEnd: location.arrowsPerEnd, distance: pass.distance,
          unit: unit, face: pass.face, diameterCentimetres: pass.centimetres)
      })
  }

  private static let outdoor: [RoundDefinition] = [
    round(
      "wa1440_90", "WA 1440 (90m)", .outdoor, "WA", family: "wa1440",
      [
        (36, .tenZone, 122, 90), (36, .tenZone, 122, 70), (36, .tenZone, 80, 50),
        (36, .tenZone, 80, 30),
      ]),
    round(
      "wa1440_70", "WA 1440 (70m)", .outdoor, "WA", family: "wa1440",
      [
        (36, .tenZone, 122, 70), (36, .tenZone, 122, 60), (36, .tenZone, 80, 50),
        (36, .tenZone, 80, 30),
      ]),
    round(
      "wa1440_60", "WA 1440 (60m)", .outdoor, "WA", family: "wa1440",
      [
        (36, .tenZone, 122, 60), (36, .tenZone, 122, 50), (36, .tenZone, 80, 40),
        (36, .tenZone, 80, 30),
      ]),
    round(
      "wa1440_90_small", "WA 1440 (90m) 6-zone", .outdoor, "WA",
      [
        (36, .tenZone6Ring, 122, 90), (36, .tenZone6Ring, 122, 70), (36, .tenZone6Ring, 80, 50),
        (36, .tenZone6Ring, 80, 30),
      ]),
    round(
      "wa1440_70_small", "WA 1440 (70m) 6-zone", .outdoor, "WA",
      [
        (36, .tenZone6Ring, 122, 70), (36, .tenZone6Ring, 122, 60), (36, .tenZone6Ring, 80, 50),
        (36, .tenZone6Ring, 80, 30),
      ]),
    round(
      "wa1440_60_small", "WA 1440 (60m) 6-zone", .outdoor, "WA",
      [
        (36, .tenZone6Ring, 122, 60), (36, .tenZone6Ring, 122, 50), (36, .tenZone6Ring, 80, 40),
        (36, .tenZone6Ring, 80, 30),
      ]),
    round(
      "wa720_70", "WA 70m", .outdoor, "WA", family: "wa720",
      [(36, .tenZone, 122, 70), (36, .tenZone, 122, 70)]),
    round(
      "wa720_60", "WA 60m", .outdoor, "WA", family: "wa720",
      [(36, .tenZone, 122, 60), (36, .tenZone, 122, 60)]),
    round(
      "wa720_40", "WA 40m", .outdoor, "WA", family: "wa720",
      [(36, .tenZone, 122, 40), (36, .tenZone, 122, 40)]),
    round(
      "wa720_50_c", "WA 50m Compound", .outdoor, "WA", family: "wa720",
      [(36, .tenZone, 80, 50), (36, .tenZone, 80, 50)]),
    round(
      "wa720_40_c", "WA 40m Compound", .outdoor, "WA", family: "wa720",
      [(36, .tenZone, 80, 40), (36, .tenZone, 80, 40)]),
    round(
      "wa720_50_b", "WA 50m Barebow", .outdoor, "WA", family: "wa720",
      [(36, .tenZone, 122, 50), (36, .tenZone, 122, 50)]),
    round(
      "wa720_30_b", "WA 30m Barebow", .outdoor, "WA", family: "wa720",
      [(36, .tenZone, 122, 30), (36, .tenZone, 122, 30)]),
    round(
      "wa900", "WA 900", .outdoor, "WA", family: "wa900",
      [(30, .tenZone, 122, 60), (30, .tenZone, 122, 50), (30, .tenZone, 122, 40)]),
  ]

  private static let indoor: [RoundDefinition] = [
    round(
      "wa18", "WA 18m", .indoor, "WA",
      [(30, .tenZone, 40, 18), (30, .tenZone, 40, 18)]),
    round(
      "wa18_compound", "WA 18m Compound", .indoor, "WA",
      [(30, .tenZoneCompound, 40, 18), (30, .tenZoneCompound, 40, 18)]),
    round(
      "wa18_triple", "WA 18m Triple", .indoor, "WA",
      [(30, .tenZone5Ring, 40, 18), (30, .tenZone5Ring, 40, 18)]),
    round(
      "wa18_compound_triple", "WA 18m Compound Triple", .indoor, "WA",
      [(30, .tenZone5RingCompound, 40, 18), (30, .tenZone5RingCompound, 40, 18)]),
    round(
      "wa25", "WA 25m", .indoor, "WA",
      [(30, .tenZone, 60, 25), (30, .tenZone, 60, 25)]),
    round(
      "wa25_compound", "WA 25m Compound", .indoor, "WA",
      [(30, .tenZoneCompound, 60, 25), (30, .tenZoneCompound, 60, 25)]),
    round(
      "wa25_triple", "WA 25m Triple", .indoor, "WA",
      [(30, .tenZone5Ring, 60, 25), (30, .tenZone5Ring, 60, 25)]),
    round(
      "wa25_compound_triple", "WA 25m Compound Triple", .indoor, "WA",
      [(30, .tenZone5RingCompound, 60, 25), (30, .tenZone5RingCompound, 60, 25)]),
  ]

  private static let experimental: [RoundDefinition] = [
    round(
      "wa660_70", "WA 660 (70m)", .outdoor, "WAExp", family: "wa660",
      [(30, .elevenZone, 122, 70), (30, .elevenZone, 122, 70)]),
    round(
      "wa660_60", "WA 660 (60m)", .outdoor, "WAExp", family: "wa660",
      [(30, .elevenZone, 122, 60), (30, .elevenZone, 122, 60)]),
    round(
      "wa660_50_c", "WA 660 (50m) Compound", .outdoor, "WAExp", family: "wa660",
      [(30, .elevenZone, 80, 50), (30, .elevenZone, 80, 50)]),
    round(
      "wa660_50_c_small", "WA 660 (50m) Compound 6-zone", .outdoor, "WAExp", family: "wa660",
      [(30, .elevenZone6Ring, 80, 50), (30, .elevenZone6Ring, 80, 50)]),
    round(
      "wa660_50_b", "WA 660 (50m) Barebow", .outdoor, "WAExp", family: "wa660",
      [(30, .elevenZone, 122, 50), (30, .elevenZone, 122, 50)]),
  ]

  private static let other: [RoundDefinition] = [
    round(
      "bray_i", "Bray I", .indoor, "AGB", unit: .yard,
      [(30, .tenZone, 40, 20)]),
    round(
      "bray_ii", "Bray II", .indoor, "AGB", unit: .yard,
      [(30, .tenZone, 60, 25)]),
    round(
      "stafford", "Stafford", .indoor, "AGB",
      [(36, .tenZone, 80, 30), (36, .tenZone, 80, 30)]),
    round(
      "portsmouth", "Portsmouth", .indoor, "AGB", unit: .yard,
      [(30, .tenZone, 60, 20), (30, .tenZone, 60, 20)]),
    round(
      "worcester", "Worcester", .indoor, "AGB", unit: .yard,
      [(30, .worcester, 40.64, 20), (30, .worcester, 40.64, 20)]),
    round(
      "vegas_300", "Vegas 300", .indoor, "AGB", unit: .yard,
      [(30, .tenZone, 40, 20)]),
    round(
      "wa_field_24_red_marked", "WA Field 24 Red Marked", .field, "WA", family: "wafield_24_marked",
      [
        (6, .waField, 20, 10), (6, .waField, 20, 15), (6, .waField, 20, 20), (6, .waField, 40, 20),
        (6, .waField, 40, 25), (6, .waField, 40, 30), (6, .waField, 60, 35), (6, .waField, 60, 40),
        (6, .waField, 60, 45), (6, .waField, 80, 50), (6, .waField, 80, 55), (6, .waField, 80, 60),
      ]),
    round(
      "wa_field_24_red_unmarked", "WA Field 24 Red Unmarked", .field, "WA",
      family: "wafield_24_unmarked",
      [
        (18, .waField, 20, 12.5), (18, .waField, 40, 25), (18, .waField, 60, 27.5),
        (18, .waField, 80, 45),
      ]),
    round(
      "wa_field_24_blue_marked", "WA Field 24 Blue Marked", .field, "WA",
      family: "wafield_24_marked",
      [
        (6, .waField, 20, 5), (6, .waField, 20, 10), (6, .waField, 20, 15), (6, .waField, 40, 15),
        (6, .waField, 40, 20), (6, .waField, 40, 25), (6, .waField, 60, 30), (6, .waField, 60, 35),
        (6, .waField, 60, 40), (6, .waField, 80, 40), (6, .waField, 80, 45), (6, .waField, 80, 50),
      ]),
    round(
      "lancaster", "Lancaster", .indoor, "custom",
      [(30, .elevenZone, 40, 18), (30, .elevenZone, 40, 18)]),
    round(
      "lancaster_triple", "Lancaster Triple", .indoor, "custom",
      [(30, .elevenZone5Ring, 40, 18), (30, .elevenZone5Ring, 40, 18)]),
    round(
      "york", "York", .outdoor, "AGB", family: "york_hereford_bristol", unit: .yard,
      [(72, .fiveZone, 122, 100), (48, .fiveZone, 122, 80), (24, .fiveZone, 122, 60)]),
    round(
      "hereford", "Hereford", .outdoor, "AGB", family: "york_hereford_bristol", unit: .yard,
      [(72, .fiveZone, 122, 80), (48, .fiveZone, 122, 60), (24, .fiveZone, 122, 50)]),
    round(
      "st_george", "St. George", .outdoor, "AGB", family: "stgeorge_albion_windsor", unit: .yard,
      [(36, .fiveZone, 122, 100), (36, .fiveZone, 122, 80), (36, .fiveZone, 122, 60)]),
    round(
      "western", "Western", .outdoor, "AGB", family: "western", unit: .yard,
      [(48, .fiveZone, 122, 60), (48, .fiveZone, 122, 50)]),
    round(
      "national", "National", .outdoor, "AGB", family: "national", unit: .yard,
      [(48, .fiveZone, 122, 60), (24, .fiveZone, 122, 50)]),
  ]
}
