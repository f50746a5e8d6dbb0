/// The rounds of Archery Australia: facts of archeryutils 3.0.0 (`AA_outdoor_metric.json`,
/// `AA_indoor.json`, `AA_field.json`), MIT.
///
/// The AA20/720 is shot at 20 m, as its name says and as the others of its family are named by
/// their distance; archeryutils has 30 m.
extension RoundLibrary {
  static let australian: [RoundDefinition] =
    australianOutdoor + australianIndoor + australianField

  /// On the face of ten zones.
  private static let australianOutdoor = RoundSection(.outdoor, "AA", .tenZone).rounds(
    """
    aa_50_1440; AA50/1440; aa1440; 36x122@50/40m 36x80@30/20m
    aa_40_1440; AA40/1440; aa1440; 36x122@40/30m 36x80@30/20m
    long_sydney; Long Sydney; sydney; 30x122@90/70/60/50m
    sydney; Sydney; sydney; 30x122@70/60/50/40m
    long_brisbane; Long Brisbane; brisbane; 30x122@90/70m 30x80@60/50m
    brisbane; Brisbane; brisbane; 30x122@70/60m 30x80@50/40m
    adelaide; Adelaide; adelaide; 30x122@60/50m 30x80@40/30m
    short_adelaide; Short Adelaide; adelaide; 30x122@50/40m 30x80@30/20m
    hobart; Hobart; aa900; 30x122@90/70/50m
    perth; Perth; aa900; 30x122@70/60/50m
    canberra; Canberra; aa900; 30x122@60/50/40m
    short_canberra; Short Canberra; aa900; 30x122@50/40/30m
    junior_canberra; Junior Canberra; aa900; 30x122@40/30/20m
    mini_canberra; Mini Canberra; aa900; 30x122@30/20/10m
    grange; Grange; aa900_single_distance; 30x122@60/60/60m
    melbourne; Melbourne; aa900_single_distance; 30x122@50/50/50m
    darwin; Darwin; aa900_single_distance; 30x122@40/40/40m
    geelong; Geelong; aa900_single_distance; 30x122@30/30/30m
    newcastle; Newcastle; aa900_single_distance; 30x122@20/20/20m
    holt; Holt; aa900_single_distance; 30x80@50/50/50m
    samford; Samford; aa900_single_distance; 30x80@40/40/40m
    drake; Drake; aa900_single_distance; 30x80@30/30/30m
    wollongong; Wollongong; aa720_split_distance; 36x122@90/70m
    townsville; Townsville; aa720_split_distance; 36x122@70/60m
    launceston; Launceston; aa720_split_distance; 36x80@50/30m
    aa_50_720; AA50/720; aa720; 36x122@50/50m
    aa_40_720; AA40/720; aa720; 36x122@40/40m
    aa_30_720; AA30/720; aa720; 36x122@30/30m
    aa_20_720; AA20/720; aa720; 36x122@20/20m
    """)

  /// Three arrows an end.
  private static let australianIndoor = RoundSection(.indoor, "AA", .tenZone).rounds(
    """
    australian_indoor_1; Australian Indoor 1; ; 30x40@18m
    australian_indoor_1_compound; Australian Indoor 1 Compound; ; 30x40@18m; 10_zone_compound
    australian_indoor_1_triple; Australian Indoor 1 Triple; ; 30x40@18m; 10_zone_5_ring
    australian_indoor_1_compound_triple; Australian Indoor 1 Compound Triple; ; 30x40@18m; \
      10_zone_5_ring_compound
    australian_indoor_2; Australian Indoor 2; ; 30x60@25m
    australian_indoor_2_compound; Australian Indoor 2 Compound; ; 30x60@25m; 10_zone_compound
    australian_indoor_2_triple; Australian Indoor 2 Triple; ; 30x60@25m; 10_zone_5_ring
    australian_indoor_2_compound_triple; Australian Indoor 2 Compound Triple; ; 30x60@25m; \
      10_zone_5_ring_compound
    """)

  /// Four arrows a target.
  private static let australianField = RoundSection(.field, "AA", .aaNationalField, arrowsPerEnd: 4)
    .rounds(
      """
      hunters_round; Hunters Round (AA); hunters_round; 16x20@10m 32x40@20m 40x60@30m 24x80@40m
      national_field_red; National Field (AA) Red; aa_national_field; 8x40@15/20/25/30m \
        8x60@35/40/45m 8x80@50/55/60m 2x20@6/8/10/12m 2x40@15/20/25/30m 2x60@30/35/40/45m \
        2x80@45/50/55/60m
      national_field_blue; National Field (AA) Blue; aa_national_field; 8x40@10/15/20/25m \
        8x60@30/35/40m 8x80@40/45/50m 2x20@4/6/8/10m 2x40@10/15/20/25m 2x60@25/30/35/40m \
        2x80@35/40/45/50m
      national_field_yellow; National Field (AA) Yellow; aa_national_field; 8x40@5/10/15/20m \
        8x60@20/25/30m 8x80@30/35/40m 2x20@4/6/8/10m 2x40@5/10/15/20m 2x60@15/20/25/30m \
        2x80@25/30/35/40m
      """)
}
