/// The rounds of the National Field Archery Association, and the 3D rounds of World Archery.
///
/// The field rounds of the NFAA have the targets of the IFAA's (NFAA range guidelines I.A,
/// "NFAA/IFAA Field Round"). The indoor round is 60 arrows at 20 yards at a face of 40 cm with a
/// spot of 8 cm, in ends of 5; on the 5-spot face only 5 and 4 score (NFAA and IFAA, Indoor Round).
///
/// A 3D round of World Archery is 24 animals with two arrows each, at unknown distances up to 45 m
/// (red peg) or 30 m (blue peg); the distance is that maximum. Animals have no rings and so no
/// handicap, and no diameter: 100 cm stand in its place.
extension RoundLibrary {
  static let american: [RoundDefinition] =
    nfaaField + nfaaExpert + nfaaThreeArrow + nfaaIndoor + nfaaFiveSpot + animals

  /// Four arrows a target.
  private static let nfaaField = RoundSection(.field, "NFAA", .ifaaField, arrowsPerEnd: 4).rounds(
    """
    nfaa_field; NFAA Field; ; 2x20@6.667/8.333/10/11.667y 8x35@15/20/25/30y 8x50@40/45/50/35y \
      2x50@30/35/40/45y 8x65@55/60/65y 2x65@50/60/70/80y
    nfaa_hunter; NFAA Hunter; ; 8x20@6.667y 4x35@14/15/17/19/20/23y 8x35@28/32y \
      8x50@36/40/44/48y 2x50@41/44/48/53y 2x65@45/48/53/58/52/55/59/64/58/61/65/70y
    """)

  /// Four arrows a target, scored 5 to 1.
  private static let nfaaExpert = RoundSection(.field, "NFAA", .ifaaFieldExpert, arrowsPerEnd: 4)
    .rounds(
      """
      nfaa_expert; NFAA Expert Field; ; 2x20@6.667/8.333/10/11.667y 8x35@15/20/25/30y \
        8x50@40/45/50/35y 2x50@30/35/40/45y 8x65@55/60/65y 2x65@50/60/70/80y
      """)

  /// Three arrows a target.
  private static let nfaaThreeArrow = RoundSection(.field, "NFAA", .ifaaField).rounds(
    """
    nfaa_international; NFAA International; ; 6x35@20/25/30y 6x50@35/40/45/50y 6x65@55/60/65y
    """)

  /// Five arrows an end.
  private static let nfaaIndoor = RoundSection(.indoor, "NFAA", .worcester, arrowsPerEnd: 5).rounds(
    """
    nfaa_300; NFAA Indoor 300; ; 60x40@20y
    """)

  /// Five arrows an end, one a spot.
  private static let nfaaFiveSpot = RoundSection(.indoor, "NFAA", .worcester2Ring, arrowsPerEnd: 5)
    .rounds(
      """
      nfaa_300_5_spot; NFAA Indoor 300 5-Spot; ; 60x40@20y
      """)

  /// Two arrows an animal.
  private static let animals = RoundSection(.field, "WA", .threeD, arrowsPerEnd: 2).rounds(
    """
    wa_3d_24_red; WA 3D 24 Red; wa3d_24; 48x100@45m
    wa_3d_24_blue; WA 3D 24 Blue; wa3d_24; 48x100@30m
    """)
}
