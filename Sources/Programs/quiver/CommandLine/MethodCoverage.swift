import QuiverAPI

/// Which command covers which method of the server. A test holds it against the services: a method
/// without a command has an entry in ``without``.
enum MethodCoverage {
  /// The methods of commands with code of their own, by command; those that a table describes name
  /// their methods themselves.
  static let written: [String: [String]] = [
    "login": ["Account/WhoAmI"],
    "call": ["Reflection/Describe"],
    "methods": ["Reflection/Describe"],
    "describe": ["Reflection/Describe"],
    "health": ["Health/Check"],
    "version": ["Health/Check"],
    "token create": ["Admin/CreateToken", "Admin/CreatePrincipal"],
    "token list": ["Admin/ListTokens"],
    "token rotate": ["Account/RotateToken"],
    "token revoke": ["Admin/RevokeToken"],
    "account export": ["Account/ExportMyData"],
    "account usage": ["Account/GetUsage"],
    "squad": ["Account/GetSquad"],
    "admin backup": ["Admin/Backup"],
    "admin verify": ["Admin/Verify"],
    "admin audit": ["Admin/ListAudit"],
    "top": ["Admin/GetServerStatus"],
    "equipment hub": ["Equipment/GetHub"],
    "equipment list": ["Equipment/ListItems"],
    "equipment show": itemMethods("Get"),
    "equipment add": itemMethods("Create"),
    "equipment edit": itemMethods("Update"),
    "equipment rm": itemMethods("Delete"),
    "equipment archive": itemMethods("Archive"),
    "equipment restore": itemMethods("Restore"),
    "setup list": ["Equipment/ListBowSetups"],
    "setup show": ["Equipment/GetBowSetup"],
    "setup add": ["Equipment/CreateBowSetup"],
    "setup copy": ["Equipment/CopyBowSetup"],
    "setup default": ["Equipment/SetDefaultBowSetup"],
    "setup rm": ["Equipment/DeleteBowSetup"],
    "compare": ["Comparison/Compare", "Comparison/ListComparableSetups"],
    "handicap score": ["Comparison/GetHandicapScore"],
    "handicap of": ["Comparison/GetScoreHandicap"],
    "classification": ["Comparison/GetClassification"],
    "records bests": ["Rounds/GetPersonalBests"],
    "records handicap": ["Rounds/GetRunningHandicap"],
    "tournament create": ["Tournament/CreateTournament"],
    "tournament join": ["Tournament/JoinTournament"],
    "tournament enter": ["Tournament/AddEntries", "Tournament/AddGuest"],
    "tournament start": ["Tournament/StartTournament"],
    "tournament finalise": ["Tournament/FinaliseTournament"],
    "event start": ["Tournament/StartTournament"],
    "event finalise": ["Tournament/FinaliseTournament"],
    "tournament watch": ["Tournament/WatchLeaderboard"],
    "tournament results": ["Tournament/GetResults"],
    "tournament rank": ["Tournament/GetStandings", "Tournament/RankUnderPolicy"],
    "tournament why": ["Tournament/ExplainRank"],
    "tournament score": ["Tournament/SyncOperations", "Tournament/WatchTournament"],
    "event create": [
      "Tournament/CreateTournament", "Tournament/GetTournament", "Tournament/DeleteTournament",
      "Rounds/GetFormat", "Events/ListEventCategories", "Events/ListEventSessions",
      "Events/ListEventOfficials", "Events/ListTargetLeases", "Events/UpdateEventCategory",
      "Events/CreateEventCategory", "Events/CreateEventSession", "Events/SetEventOfficial",
      "Events/SetEventLeases", "Events/ListEventTemplates",
    ],
    "event line": ["Events/ListEventSessions", "Events/GetCategoryStandings"],
    "event import": ["Events/ImportEventEntries"],
    "event import-results": [
      "Events/SetPaperTotal", "Events/SetTypedTotal", "Events/ListTypedTotals",
    ],
    "event end": ["Elimination/ApplyMatchOperations"],
    "event match": ["Elimination/GetMatch"],
    "event check-in": ["Events/SetEventEntryState"],
    "event join": ["Events/JoinTarget"],
    "event second": ["Events/ApplyCardOperations"],
    "event rule": ["Events/RuleOnEnd"],
    "event end-rule": ["Events/ApplyEndRule"],
    "event move-ends": ["Events/MoveEnds"],
    "event confirm-card": ["Events/ConfirmScoreCard"],
    "event paper": ["Events/GetEventDocument"],
    "event plates": ["Events/ListTargetCodes"],
    "event export": ["Events/GetEventDocument"],
    "event watch-bracket": ["Elimination/WatchBracket"],
    "event watch-match": ["Elimination/WatchMatch"],
    "round shoot": ["Rounds/ApplyOperations"],
    "round import-scores": ["Rounds/CreateSession"],
    "round export-scores": ["Rounds/ListSessions"],
    "logbook weights": ["Logbook/GetWeightSections"],
    "logbook add": ["Logbook/CreateWeightEntry"],
    "logbook trend": ["Logbook/GetWeightChart"],
    "logbook import": ["Logbook/ImportWeights"],
    "logbook export": ["Logbook/ExportWeights"],
    "strength import": ["Logbook/ImportSets"],
    "strength list": ["Logbook/ListExercises"],
    "strength show": ["Logbook/GetLiftSeries"],
  ]

  /// Methods that no command calls, with the reason.
  static let without: [String: String] = [
    "Health/Watch": watches,
    "Equipment/WatchHub": watches,
    "Equipment/WatchItems": watches,
    "Equipment/WatchBowSetups": watches,
    "Logbook/WatchWeights": watches,
    "Logbook/WatchTrainingLog": watches,
    "Events/WatchTargets": watches,
    "Events/WatchTargetCalls": watches,
    "Tournament/RecordArrow": "tournament end stores whole ends, tournament score any arrows",
    "Tournament/ApplyOperations": "tournament score sends the same batches over SyncOperations",
    "Rounds/RecordArrow": "round end stores whole ends, round shoot any arrows",
    "Diagnostics/Echo": tests, "Diagnostics/EchoAsync": tests, "Diagnostics/Delay": tests,
    "Diagnostics/Fail": tests, "Diagnostics/EchoMetadata": tests,
    "Diagnostics/EchoStream": tests, "Diagnostics/Sink": tests, "Diagnostics/Source": tests,
    "Diagnostics/FailSource": tests, "Diagnostics/FailSink": tests,
    "Diagnostics/FailStream": tests, "Diagnostics/Connections": tests,
  ]

  private static let watches =
    "apps keep a screen current with it; at a command line the list is asked for again"
  private static let tests = "clients are tested with it; quiver call and quiver-load call it"

  private static func itemMethods(_ verb: String) -> [String] {
    ItemType.all.map { "Equipment/\(verb)\($0.methodEnd)" }
  }
}
