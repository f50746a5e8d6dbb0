/// The commands of Account that need no code of their own.
enum AccountMethods {
  static let commands: [MethodCommand] = [
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
      summary: "print a code with which an organiser appoints you",
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
