/// The commands of Account that need no code of their own.
enum AccountMethods {
  static let commands = own + sharing

  private static let parts = MethodArgument.flag(
    "--part", "parts", "PART",
    "equipment, rounds, comparison, weight, strength or training-log; may be given more than once",
    repeats: true, isNeeded: true)
  private static let until = MethodArgument.flag(
    "--until", "until_day", "DAY", "the last day, as 2027-03-31; at most two years ahead",
    isNeeded: true)

  private static let sharing: [MethodCommand] = [
    MethodCommand(
      "share add", "Account/ShareData", summary: "let another read parts of your data",
      details: """
        CODE is what the reader prints with quiver account code. The reader may read the named
        parts until the day, with quiver --user and your name, and change nothing. Body weight is
        shared only as --part weight. quiver share rm ends it at any time.
        """,
      [.operand("CODE", "principal_code"), parts, until],
      prints: .sentence("{reader_name} may read {parts} until {until_day}")),
    MethodCommand(
      "share edit", "Account/ShareData", summary: "change the parts and the day of a share",
      [.operand("SHARE", "share_id", .named(.share)), parts, until],
      prints: .sentence("{reader_name} may read {parts} until {until_day}")),
    MethodCommand(
      "share list", "Account/ListShares",
      summary: "list what you share, and what others share with you",
      [.flag("--side", "side", "SIDE", "given or received; both by default")],
      prints: .list(
        "shares",
        [
          "ID=id", "OF=owner_name", "WITH=reader_name", "PARTS=parts", "UNTIL=until_day",
          "SINCE=created_at_ms", "LAST READ=last_read_at_ms|none",
        ])),
    MethodCommand(
      "share rm", "Account/EndShare", summary: "end a share, yours or one that you received",
      [.operand("SHARE", "share_id", .named(.share))], destroys: "ends the share {SHARE}",
      prints: .sentence("{reader_name} may not read the data of {owner_name} any more")),
    MethodCommand(
      "share invite", "Account/CreateShareInvite",
      summary: "print a code with which somebody may read parts of your data",
      details: "It is valid for 7 days, for one principal, and is not shown again.",
      [parts, until], prints: .secret("code", "invitation {invite.id} until {invite.until_day}")),
    MethodCommand(
      "share accept", "Account/AcceptShareInvite", summary: "accept an invitation by its code",
      [.operand("CODE", "code")],
      prints: .sentence("you may read {parts} of {owner_name} until {until_day}")),
    MethodCommand(
      "share invites", "Account/ListShareInvites", summary: "list your invitations that wait",
      prints: .list(
        "invites",
        [
          "ID=id", "PARTS=parts", "UNTIL=until_day", "CREATED=created_at_ms",
          "EXPIRES=expires_at_ms",
        ])),
    MethodCommand(
      "share uninvite", "Account/EndShareInvite", summary: "end an invitation that waits",
      [.operand("INVITATION", "invite_id", .named(.shareInvite))],
      destroys: "ends the {INVITATION}",
      prints: .sentence("invitation {id} has ended")),
  ]

  private static let own: [MethodCommand] = [
    MethodCommand(
      "whoami", "Account/WhoAmI", summary: "show whose token is used, and what it allows",
      prints: .object),
    MethodCommand(
      "profile show", "Account/GetProfile", summary: "show your profile", prints: .object),
    MethodCommand(
      "profile edit", "Account/UpdateProfile", summary: "change your profile",
      details: "Fields that are not named keep their values. An empty text clears a field.",
      [
        .flag("--name", "profile.display_name", "TEXT", "1 to 50 characters"),
        .flag("--zone", "profile.time_zone", "NAME", "an IANA time zone, as in Europe/Tallinn"),
        .flag("--units", "profile.units", "UNITS", "metric or imperial"),
        .flag("--bowstyle", "profile.bowstyle", "BOWSTYLE", "recurve, compound, barebow, …"),
        .flag("--gender", "profile.gender", "GENDER", "open or female, for classifications"),
        .flag("--age", "profile.age_group", "GROUP", "adult, under-18, over-50, …"),
      ],
      changes: "profile", read: "Account/GetProfile",
      prints: .sentence("the profile of {shown_name} is changed")),
    MethodCommand(
      "preference list", "Account/GetPreferences", summary: "list what apps store for you",
      prints: .list("preferences", ["KEY=key", "VALUE=value", "UPDATED=updated_at_ms"])),
    MethodCommand(
      "preference set", "Account/SetPreference", summary: "store a preference",
      [.operand("KEY", "preference.key"), .operand("VALUE", "preference.value")],
      prints: .sentence("preference {key} is set")),
    MethodCommand(
      "preference rm", "Account/DeletePreference", summary: "delete a preference",
      [.operand("KEY", "key")], destroys: "deletes preference {KEY}",
      prints: .sentence("preference {request.key} is deleted")),
    MethodCommand(
      "invite redeem", "Account/RedeemInvite", summary: "become a user by an invite code",
      details: "Prints the token's secret to standard output; it is not shown again.",
      [
        .operand("CODE", "code"),
        .flag("--name", "display_name", "TEXT", "your name, 1 to 50 characters"),
        .flag("--label", "token_label", "TEXT", "what the token is for"),
      ],
      prints: .secret("secret", "principal {principal.id}: {principal.shown_name}")),
    MethodCommand(
      "account code", "Account/GetIntroductionCode",
      summary: "print a code by which an organiser or an archer names you",
      details: "It ends after 24 hours.", [], prints: .secret("code", "ends {expires_at_ms}")),
    MethodCommand(
      "account delete", "Account/DeleteMyAccount", summary: "delete your account and your data",
      details: """
        NAME is your name exactly as `quiver profile show` shows it as shown-name. Equipment,
        setups, sight marks, weight and strength are erased, tokens are revoked, and this cannot be
        undone. Scores stay under a neutral name. `quiver account export` writes your data first.
        """,
      [.operand("NAME", "confirmation")],
      destroys: "deletes the account {NAME} and all its data, which cannot be undone",
      prints: .sentence("the account is deleted")),
  ]
}
