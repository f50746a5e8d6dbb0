/// The rounds of Archery GB: facts of archeryutils 3.0.0 (`AGB_outdoor_imperial.json`,
/// `AGB_outdoor_metric.json`, `AGB_indoor.json`, `AGB_VI.json`), MIT.
extension RoundLibrary {
  static let archeryGB: [RoundDefinition] =
    imperial + metric + britishIndoor + britishFiveArrow + visuallyImpaired

  /// Yards, on the face of five zones.
  private static let imperial = RoundSection(.outdoor, "AGB", .fiveZone).rounds(
    """
    bristol_i; Bristol I; york_hereford_bristol; 72x122@80y 48x122@60y 24x122@50y
    bristol_ii; Bristol II; york_hereford_bristol; 72x122@60y 48x122@50y 24x122@40y
    bristol_iii; Bristol III; york_hereford_bristol; 72x122@50y 48x122@40y 24x122@30y
    bristol_iv; Bristol IV; york_hereford_bristol; 72x122@40y 48x122@30y 24x122@20y
    bristol_v; Bristol V; york_hereford_bristol; 72x122@30y 48x122@20y 24x122@10y
    albion; Albion; stgeorge_albion_windsor; 36x122@80/60/50y
    windsor; Windsor; stgeorge_albion_windsor; 36x122@60/50/40y
    windsor_50; Windsor 50; stgeorge_albion_windsor; 36x122@50/40/30y
    windsor_40; Windsor 40; stgeorge_albion_windsor; 36x122@40/30/20y
    windsor_30; Windsor 30; stgeorge_albion_windsor; 36x122@30/20/10y
    new_western; New Western; western; 48x122@100/80y
    long_western; Long Western; western; 48x122@80/60y
    western_50; Western 50; western; 48x122@50/40y
    western_40; Western 40; western; 48x122@40/30y
    western_30; Western 30; western; 48x122@30/20y
    american; American; american; 30x122@60/50/40y
    st_nicholas; St Nicholas; stnicholas; 48x122@40y 36x122@30y
    new_national; New National; national; 48x122@100y 24x122@80y
    long_national; Long National; national; 48x122@80y 24x122@60y
    national_50; National 50; national; 48x122@50y 24x122@40y
    national_40; National 40; national; 48x122@40y 24x122@30y
    national_30; National 30; national; 48x122@30y 24x122@20y
    new_warwick; New Warwick; warwick; 24x122@100/80y
    long_warwick; Long Warwick; warwick; 24x122@80/60y
    warwick; Warwick; warwick; 24x122@60/50y
    warwick_50; Warwick 50; warwick; 24x122@50/40y
    warwick_40; Warwick 40; warwick; 24x122@40/30y
    warwick_30; Warwick 30; warwick; 24x122@30/20y
    """)

  /// Metres, on the face of ten zones.
  private static let metric = RoundSection(.outdoor, "AGB", .tenZone).rounds(
    """
    metric_i; Metric I; metric1440; 36x122@70/60m 36x80@50/30m
    metric_ii; Metric II; metric1440; 36x122@60/50m 36x80@40/30m
    metric_iii; Metric III; metric1440; 36x122@50/40m 36x80@30/20m
    metric_iv; Metric IV; metric1440; 36x122@40/30m 36x80@20/10m
    metric_v; Metric V; metric1440; 36x122@30/20m 36x80@15/10m
    long_metric_90; Long Metric (90m); metriclong; 36x122@90/70m
    long_metric_70; Long Metric (70m); metriclong; 36x122@70/60m
    long_metric_i; Long Metric I; metriclong; 36x122@70/60m
    long_metric_ii; Long Metric II; metriclong; 36x122@60/50m
    long_metric_iii; Long Metric III; metriclong; 36x122@50/40m
    long_metric_iv; Long Metric IV; metriclong; 36x122@40/30m
    long_metric_v; Long Metric V; metriclong; 36x122@30/20m
    short_metric; Short Metric; metricshort; 36x80@50/30m
    short_metric_i; Short Metric I; metricshort; 36x80@50/30m
    short_metric_ii; Short Metric II; metricshort; 36x80@40/30m
    short_metric_iii; Short Metric III; metricshort; 36x80@30/20m
    short_metric_iv; Short Metric IV; metricshort; 36x80@20/10m
    short_metric_v; Short Metric V; metricshort; 36x80@15/10m
    metric_122_50; Metric 122-50; metric720; 36x122@50/50m
    metric_122_40; Metric 122-40; metric720; 36x122@40/40m
    metric_122_30; Metric 122-30; metric720; 36x122@30/30m
    metric_80_50; Metric 80-50; metric720; 36x80@50/50m
    metric_80_40; Metric 80-40; metric720; 36x80@40/40m
    metric_80_30; Metric 80-30; metric720; 36x80@30/30m
    agb900_70; AGB 900 70; agb900; 30x122@70/60/50m
    agb900_60; AGB 900 60; agb900; 30x122@60/50/40m
    agb900_50; AGB 900 50; agb900; 30x122@50/40/30m
    agb900_40; AGB 900 40; agb900; 30x122@40/30/20m
    agb900_30; AGB 900 30; agb900; 30x122@30/20/10m
    """)

  /// Three arrows an end.
  private static let britishIndoor = RoundSection(.indoor, "AGB", .tenZone).rounds(
    """
    bray_i_compound; Bray I Compound; ; 30x40@20y; 10_zone_compound
    bray_i_triple; Bray I Triple; ; 30x40@20y; 10_zone_5_ring
    bray_i_compound_triple; Bray I Compound Triple; ; 30x40@20y; 10_zone_5_ring_compound
    bray_ii_compound; Bray II Compound; ; 30x60@25y; 10_zone_compound
    bray_ii_triple; Bray II Triple; ; 30x60@25y; 10_zone_5_ring
    bray_ii_compound_triple; Bray II Compound Triple; ; 30x60@25y; 10_zone_5_ring_compound
    stafford_compound; Stafford Compound; ; 36x80@30/30m; 10_zone_compound
    portsmouth_compound; Portsmouth Compound; ; 30x60@20/20y; 10_zone_compound
    portsmouth_triple; Portsmouth Triple; ; 30x60@20/20y; 10_zone_5_ring
    portsmouth_compound_triple; Portsmouth Compound Triple; ; 30x60@20/20y; \
      10_zone_5_ring_compound
    vegas; Vegas; ; 30x40@18/18m; 10_zone_5_ring
    vegas_compound; Vegas Compound; ; 30x40@18/18m; 10_zone_5_ring_compound
    vegas_300_triple; Vegas 300 Triple; ; 30x40@20y; 10_zone_5_ring
    """)

  /// Five arrows an end: one a spot.
  private static let britishFiveArrow = RoundSection(
    .indoor, "AGB", .worcester2Ring, arrowsPerEnd: 5
  ).rounds(
    """
    worcester_5_centre; Worcester 5-Spot; ; 30x40.64@20/20y
    """)

  /// For visually impaired archers, whose targets stand at 30 m.
  private static let visuallyImpaired = RoundSection(.outdoor, "AGB-VI", .fiveZone).rounds(
    """
    burntwood_york; Burntwood York; ; 72x40@30m 48x60@30m 24x80@30m
    burntwood_hereford; Burntwood Hereford; ; 72x60@30m 48x80@30m 24x122@30m
    burntwood_bristol; Burntwood Bristol; ; 72x60@30m 48x80@30m 24x122@30m
    burntwood_st_george; Burntwood St. George; ; 36x40@30m 36x60@30m 36x80@30m
    burntwood_albion; Burntwood Albion; ; 36x60@30m 36x80@30m 36x122@30m
    burntwood_windsor; Burntwood Windsor; ; 36x60@30m 36x80@30m 36x122@30m
    burntwood_western; Burntwood Western; ; 48x60@30m 48x80@30m
    burntwood_national; Burntwood National; ; 48x60@30m 24x80@30m
    burntwood_warwick; Burntwood Warwick; ; 24x60@30m 24x80@30m
    burntwood_american; Burntwood American; ; 30x60@30m 30x80@30m 30x122@30m
    burntwood_st_nicholas; Burntwood St. Nicholas; ; 48x80@30m 36x122@30m
    """)
}
