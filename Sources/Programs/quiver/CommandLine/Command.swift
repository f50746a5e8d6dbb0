/// One command: its usage and its effect.
struct Command: Sendable {
  /// The name, for example `token create`.
  let name: String
  /// The operands, for example `METHOD [JSON]`.
  let operands: String
  let summary: String
  /// The rest of the command's help.
  let details: String
  let flags: [Flag]
  let run: @Sendable (Arguments) async throws(Failure) -> Void

  init(
    _ name: String, operands: String = "", summary: String, details: String = "",
    flags: [Flag] = [], run: @escaping @Sendable (Arguments) async throws(Failure) -> Void
  ) {
    self.name = name
    self.operands = operands
    self.summary = summary
    self.details = details
    self.flags = flags
    self.run = run
  }

  static let all = [
    LoginCommands.login, LoginCommands.logout, LoginCommands.contexts,
    CallCommand.command, MethodsCommand.command, DescribeCommand.command, HealthCommand.command,
    TokenCreateCommand.command, TokenListCommand.command, TokenRotateCommand.command,
    TokenRevokeCommand.command, AccountExportCommand.command,
    AccountUsageCommand.command, AdminBackupCommand.command,
    AdminVerifyCommand.command,
    EquipmentHubCommand.command, EquipmentListCommand.command, EquipmentShowCommand.command,
    EquipmentAddCommand.command, EquipmentEditCommand.command, EquipmentRemoveCommand.command,
    EquipmentArchiveCommand.archive, EquipmentArchiveCommand.restore,
    SetupListCommand.command, SetupShowCommand.command, SetupAddCommand.command,
    SetupCopyCommand.command, SetupDefaultCommand.command, SetupRemoveCommand.command,
    CompareCommand.command, HandicapCommands.score, HandicapCommands.of,
    TournamentCreateCommand.command, TournamentJoinCommand.command, TournamentEnterCommand.command,
    TournamentStateCommand.start, TournamentStateCommand.finalise, TournamentWatchCommand.command,
    TournamentResultsCommand.command, TournamentRankCommand.command, TournamentWhyCommand.command,
    TournamentReplayCommand.command,
    LogbookWeightsCommand.command, LogbookAddCommand.command, LogbookTrendCommand.command,
    LogbookFileCommands.importing, LogbookFileCommands.exporting, StrengthImportCommand.command,
    StrengthShowCommand.list, StrengthShowCommand.show,
  ]
}
