/// Rounds of practice and of postal leagues, and those of World Archery for visually impaired
/// archers: facts of archeryutils 3.0.0 (`Miscellaneous.json`, `WA_VI.json`), MIT.
extension RoundLibrary {
  static let practice: [RoundDefinition] =
    tenZonePractice + fiveZonePractice + worldVisuallyImpaired + worldVisuallyImpairedIndoor

  /// Frostbite, and three dozen arrows at one distance.
  private static let tenZonePractice = RoundSection(.outdoor, "custom", .tenZone).rounds(
    """
    frostbite; Frostbite; ; 36x80@30m
    misc_3_doz_90m_122cm; 3 Doz @ 90m (122cm); distance_metric; 36x122@90m
    misc_3_doz_70m_122cm; 3 Doz @ 70m (122cm); distance_metric; 36x122@70m
    misc_3_doz_60m_122cm; 3 Doz @ 60m (122cm); distance_metric; 36x122@60m
    misc_3_doz_50m_122cm; 3 Doz @ 50m (122cm); distance_metric; 36x122@50m
    misc_3_doz_40m_122cm; 3 Doz @ 40m (122cm); distance_metric; 36x122@40m
    misc_3_doz_30m_122cm; 3 Doz @ 30m (122cm); distance_metric; 36x122@30m
    misc_3_doz_20m_122cm; 3 Doz @ 20m (122cm); distance_metric; 36x122@20m
    misc_3_doz_15m_122cm; 3 Doz @ 15m (122cm); distance_metric; 36x122@15m
    misc_3_doz_10m_122cm; 3 Doz @ 10m (122cm); distance_metric; 36x122@10m
    misc_3_doz_50m_80cm; 3 Doz @ 50m (80cm); distance_metric; 36x80@50m
    misc_3_doz_40m_80cm; 3 Doz @ 40m (80cm); distance_metric; 36x80@40m
    misc_3_doz_30m_80cm; 3 Doz @ 30m (80cm); distance_metric; 36x80@30m
    misc_3_doz_20m_80cm; 3 Doz @ 20m (80cm); distance_metric; 36x80@20m
    misc_3_doz_15m_80cm; 3 Doz @ 15m (80cm); distance_metric; 36x80@15m
    misc_3_doz_10m_80cm; 3 Doz @ 10m (80cm); distance_metric; 36x80@10m
    """)

  /// 252 awards, and two dozen arrows at one distance.
  private static let fiveZonePractice = RoundSection(.outdoor, "custom", .fiveZone).rounds(
    """
    misc_252_100; 252 100y; 252; 36x122@100y
    misc_252_80; 252 80y; 252; 36x122@80y
    misc_252_60; 252 60y; 252; 36x122@60y
    misc_252_50; 252 50y; 252; 36x122@50y
    misc_252_40; 252 40y; 252; 36x122@40y
    misc_252_30; 252 30y; 252; 36x122@30y
    misc_252_20; 252 20y; 252; 36x122@20y
    misc_252_10; 252 10y; 252; 36x122@10y
    misc_2_doz_100y_122cm; 2 Doz @ 100y (122cm); distance_imperial; 24x122@100y
    misc_2_doz_80y_122cm; 2 Doz @ 80y (122cm); distance_imperial; 24x122@80y
    misc_2_doz_60y_122cm; 2 Doz @ 60y (122cm); distance_imperial; 24x122@60y
    misc_2_doz_50y_122cm; 2 Doz @ 50y (122cm); distance_imperial; 24x122@50y
    misc_2_doz_40y_122cm; 2 Doz @ 40y (122cm); distance_imperial; 24x122@40y
    misc_2_doz_30y_122cm; 2 Doz @ 30y (122cm); distance_imperial; 24x122@30y
    misc_2_doz_20y_122cm; 2 Doz @ 20y (122cm); distance_imperial; 24x122@20y
    misc_2_doz_15y_122cm; 2 Doz @ 15y (122cm); distance_imperial; 24x122@15y
    misc_2_doz_10y_122cm; 2 Doz @ 10y (122cm); distance_imperial; 24x122@10y
    """)

  /// At 30 m.
  private static let worldVisuallyImpaired = RoundSection(.outdoor, "WA-VI", .tenZone).rounds(
    """
    1440_vi; WA 1440 (VI); ; 36x60@30m 36x80@30/30m 36x122@30m
    30_vi; WA 30m (VI); ; 36x80@30/30m
    """)

  /// At 18 m.
  private static let worldVisuallyImpairedIndoor = RoundSection(.indoor, "WA-VI", .tenZone).rounds(
    """
    18_vi; WA 18m (VI); ; 30x60@18/18m
    """)
}
