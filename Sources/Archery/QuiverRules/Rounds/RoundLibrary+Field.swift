/// Rounds on field courses, and the indoor rounds of the field associations: facts of archeryutils
/// 3.0.0 (`WA_field.json`, `IFAA_field.json`), MIT.
///
/// Distances of unmarked targets are the middle of their range. Passes are ordered by face and
/// distance, not as they stand on a course. The indoor round of the IFAA is shot at 20 yards by
/// adults (IFAA Book of Rules, Indoor Round); archeryutils has the 10 yards of cubs.
extension RoundLibrary {
  static let field: [RoundDefinition] =
    worldField + ifaaFourArrow + ifaaExpert + ifaaThreeArrow + ifaaIndoor

  /// Three arrows a target.
  private static let worldField = RoundSection(.field, "WA", .waField).rounds(
    """
    wa_field_12_red_marked; WA Field 12 Red Marked; wafield_12_marked; 3x20@10/15/20m \
      3x40@20/25/30m 3x60@35/40/45m 3x80@50/55/60m
    wa_field_12_red_unmarked; WA Field 12 Red Unmarked; wafield_12_unmarked; 9x20@12.5m \
      9x40@20m 9x60@27.5m 9x80@45m
    wa_field_24_red_mixed; WA Field 24 Red Mixed; wafield_24_mixed; 3x20@10/15/20m \
      3x40@20/25/30m 3x60@35/40/45m 3x80@50/55/60m 9x20@12.5m 9x40@20m 9x60@27.5m 9x80@45m
    wa_field_12_blue_marked; WA Field 12 Blue Marked; wafield_12_marked; 3x20@5/10/15m \
      3x40@15/20/25m 3x60@30/35/40m 3x80@40/45/50m
    wa_field_24_blue_unmarked; WA Field 24 Blue Unmarked; wafield_24_unmarked; 18x20@7.5m \
      18x40@15m 18x60@22.5m 18x80@40m
    wa_field_12_blue_unmarked; WA Field 12 Blue Unmarked; wafield_12_unmarked; 9x20@7.5m \
      9x40@15m 9x60@22.5m 9x80@37.5m
    wa_field_24_blue_mixed; WA Field 24 Blue Mixed; wafield_24_mixed; 3x20@5/10/15m \
      3x40@15/20/25m 3x60@30/35/40m 3x80@40/45/50m 9x20@7.5m 9x40@15m 9x60@22.5m 9x80@37.5m
    wa_field_24_yellow_marked; WA Field 24 Yellow Marked; wafield_24_marked; 6x20@5/10/15m \
      6x40@10/15/20m 6x60@20/25/30m 6x80@30/35/40m
    wa_field_12_yellow_marked; WA Field 12 Yellow Marked; wafield_12_marked; 3x20@5/10/15m \
      3x40@10/15/20m 3x60@20/25/30m 3x80@30/35/40m
    wa_field_24_yellow_unmarked; WA Field 24 Yellow Unmarked; wafield_24_unmarked; 18x20@7.5m \
      18x40@12.5m 18x60@20m 18x80@27.5m
    wa_field_12_yellow_unmarked; WA Field 12 Yellow Unmarked; wafield_12_unmarked; 9x20@7.5m \
      9x40@12.5m 9x60@20m 9x80@27.5m
    wa_field_24_yellow_mixed; WA Field 24 Yellow Mixed; wafield_24_mixed; 3x20@5/10/15m \
      3x40@10/15/20m 3x60@20/25/30m 3x80@30/35/40m 9x20@7.5m 9x40@12.5m 9x60@20m 9x80@27.5m
    wa_field_24_white_marked; WA Field 24 White Marked; wafield_24_marked; 6x20@5/7/10m \
      6x40@10/12/15m 6x60@15/20/25m 6x80@20/25/30m
    wa_field_12_white_marked; WA Field 12 White Marked; wafield_12_marked; 3x20@5/7/10m \
      3x40@10/12/15m 3x60@15/20/25m 3x80@20/25/30m
    wa_field_24_white_unmarked; WA Field 24 White Unmarked; wafield_24_unmarked; 18x20@7.5m \
      18x40@10m 18x60@15m 18x80@20m
    wa_field_12_white_unmarked; WA Field 12 White Unmarked; wafield_12_unmarked; 9x20@7.5m \
      9x40@10m 9x60@15m 9x80@20m
    wa_field_24_white_mixed; WA Field 24 White Mixed; wafield_24_mixed; 3x20@5/7/10m \
      3x40@10/12/15m 3x60@15/20/25m 3x80@20/25/30m 9x20@7.5m 9x40@10m 9x60@15m 9x80@20m
    """)

  /// Four arrows a target.
  private static let ifaaFourArrow = RoundSection(.field, "IFAA", .ifaaField, arrowsPerEnd: 4)
    .rounds(
      """
      ifaa_field; IFAA Field; ; 2x20@6.667/8.333/10/11.667y 8x35@15/20/25/30y 8x50@40/45/50/35y \
        2x50@30/35/40/45y 8x65@55/60/65y 2x65@50/60/70/80y
      ifaa_field_unit; IFAA Field Unit; ; 1x20@6.667/8.333/10/11.667y 4x35@15/20/25/30y \
        4x50@40/45/50/35y 1x50@30/35/40/45y 4x65@55/60/65y 1x65@50/60/70/80y
      ifaa_hunter; IFAA Hunter; ; 8x20@6.667y 4x35@14/15/17/19/20/23y 8x35@28/32y \
        8x50@36/40/44/48y 2x50@41/44/48/53y 2x65@45/48/53/58/52/55/59/64/58/61/65/70y
      ifaa_hunter_unit; IFAA Hunter Unit; ; 4x20@6.667y 2x35@14/15/17/19/20/23y 4x35@28/32y \
        4x50@36/40/44/48y 1x50@41/44/48/53y 1x65@45/48/53/58/52/55/59/64/58/61/65/70y
      ifaa_flint; IFAA Flint; ; 8x20@10y 2x35@5/6.667/8.333/10y 8x35@20y 8x20@15y 8x35@30y \
        8x20@6.667y 8x35@25y
      ifaa_flint_unit; IFAA Flint Unit; ; 4x20@10y 1x35@5/6.667/8.333/10y 4x35@20y 4x20@15y \
        4x35@30y 4x20@6.667y 4x35@25y
      """)

  /// Four arrows a target, scored 5 to 1.
  private static let ifaaExpert = RoundSection(.field, "IFAA", .ifaaFieldExpert, arrowsPerEnd: 4)
    .rounds(
      """
      ifaa_expert; IFAA Expert; ; 2x20@6.667/8.333/10/11.667y 8x35@15/20/25/30y 8x50@40/45/50/35y \
        2x50@30/35/40/45y 8x65@55/60/65y 2x65@50/60/70/80y
      ifaa_expert_unit; IFAA Expert Unit; ; 1x20@6.667/8.333/10/11.667y 4x35@15/20/25/30y \
        4x50@40/45/50/35y 1x50@30/35/40/45y 4x65@55/60/65y 1x65@50/60/70/80y
      """)

  /// Three arrows a target.
  private static let ifaaThreeArrow = RoundSection(.field, "IFAA", .ifaaField).rounds(
    """
    ifaa_international; IFAA International; ; 6x35@20/25/30y 6x50@35/40/45/50y 6x65@55/60/65y
    ifaa_international_unit; IFAA International Unit; ; 3x35@20/25/30y 3x50@35/40/45/50y \
      3x65@55/60/65y
    """)

  /// Five arrows an end.
  private static let ifaaIndoor = RoundSection(.indoor, "IFAA", .worcester, arrowsPerEnd: 5).rounds(
    """
    ifaa_indoor; IFAA Indoor; ; 30x40@20/20y
    ifaa_indoor_unit; IFAA Indoor Unit; ; 30x40@20y
    """)
}
