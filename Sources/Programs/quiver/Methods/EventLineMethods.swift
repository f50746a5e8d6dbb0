/// The commands with which organisers and judges speak to the line.
extension EventMethods {
  private static let eventID = MethodArgument.operand(
    "EVENT", "tournament_id", .named(.event))

  static let line: [MethodCommand] = [
    MethodCommand(
      "event notice", "Events/SendEventNotice",
      summary: "send a notice to those who take part in an event",
      details: "TEXT has 1 to 300 characters. The latest 50 notices are kept.",
      [
        eventID, .operand("TEXT", "text"),
        .switching("--public", "is_public", "everybody who sees the event sees it"),
        .flag("--session", "session_id", "SESSION", "for this session", .named(.session)),
        .flag("--first", "first_target", "N", "for the targets of the session from this one"),
        .flag("--last", "last_target", "N", "to this one; else for the first one only"),
      ], prints: .sentence("notice {id} is sent")),
    MethodCommand(
      "event notices", "Events/ListEventNotices", summary: "list the notices of an event",
      [eventID],
      prints: .list(
        "notices",
        [
          "SENT=sent_at_ms", "BY=author_role", "PUBLIC=is_public", "SESSION=session_id|session",
          "FIRST=first_target|none", "LAST=last_target|none", "TEXT=text", "ID=id",
        ])),
    MethodCommand(
      "event pause", "Events/PauseShooting",
      summary: "note that nobody shoots, for example because of lightning",
      details: """
        Arrows that were shot before are still entered; `quiver tournament pause` stops that.
        """,
      [
        eventID,
        .flag("--reason", "reason", "TEXT", "1 to 200 characters", isNeeded: true),
      ], prints: .sentence("the shooting of event {tournament_id} is paused: {reason}")),
    MethodCommand(
      "event resume", "Events/ResumeShooting", summary: "note that the shooting goes on",
      [eventID], prints: .sentence("the shooting of event {tournament_id} goes on")),
    MethodCommand(
      "event pauses", "Events/GetEventProgress", summary: "list the pauses of the shooting",
      [eventID],
      prints: .list(
        "pauses",
        [
          "FROM=started_at_ms", "TO=ended_at_ms", "REASON=reason", "BY=started_by",
          "ROLE=started_by_role", "ENDED BY=ended_by", "ID=id",
        ])),
  ]
}
