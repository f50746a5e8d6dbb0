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
  /// Command lines that its help shows.
  let examples: [String]
  /// The table that describes the command; nil: it has code of its own.
  var table: MethodCommand?
  /// The full names of the methods that it calls, where a table describes the command.
  let methods: [String]
  let run: @Sendable (Arguments) async throws(Failure) -> Void

  init(
    _ name: String, operands: String = "", summary: String, details: String = "",
    flags: [Flag] = [], names kinds: [NamedKind] = [], methods: [String] = [],
    examples: [String] = [],
    run: @escaping @Sendable (Arguments) async throws(Failure) -> Void
  ) {
    self.name = name
    self.operands = operands
    self.summary = summary
    self.details = details
    let hasJSON = flags.contains { $0.name == Flag.json.name }
    let hasOutput = flags.contains { $0.name == Flag.output.name }
    let isTable = flags.contains { $0.help == Flag.tableOutput.help }
    self.flags =
      flags + Names.flags(of: kinds) + (hasJSON && !hasOutput ? [.output] : [])
      + (isTable ? [.crlf] : [])
    self.examples = examples
    self.methods = methods
    self.run = run
  }

  /// All commands, those of a group beside each other.
  static let all: [Command] = {
    let described =
      AccountMethods.commands + AdminMethods.commands + SetupMethods.commands
      + LogbookMethods.commands + TournamentMethods.commands + EventMethods.commands
      + EliminationMethods.commands
      + RoundMethods.commands
    let commands = written + ArrowCommands.commands + described.map(\.command)
    var groups: [Substring] = []
    for command in commands where !groups.contains(command.group) { groups.append(command.group) }
    return groups.flatMap { group in commands.filter { $0.group == group } }
  }()

  /// The first word of the name.
  var group: Substring { name.prefix { $0 != " " } }

  /// The commands with code of their own.
  private static let written = [
    LoginCommands.login, LoginCommands.logout, LoginCommands.contexts,
    CallCommand.command, MethodsCommand.command, DescribeCommand.command, HealthCommand.command,
    VersionCommand.command,
    TokenCreateCommand.command, TokenListCommand.command, TokenRotateCommand.command,
    TokenRevokeCommand.command, AccountExportCommand.command,
    AccountUsageCommand.command, SquadCommand.command, AdminBackupCommand.command,
    AdminVerifyCommand.command, AdminAuditCommand.command, TopCommand.command,
    EquipmentHubCommand.command, EquipmentListCommand.command, EquipmentShowCommand.command,
    EquipmentAddCommand.command, EquipmentEditCommand.command, EquipmentRemoveCommand.command,
    EquipmentArchiveCommand.archive, EquipmentArchiveCommand.restore,
    SetupListCommand.command, SetupShowCommand.command, SetupAddCommand.command,
    SetupCopyCommand.command, SetupDefaultCommand.command, SetupRemoveCommand.command,
    CompareCommand.command, HandicapCommands.score, HandicapCommands.of,
    RecordCommands.classification, RecordCommands.bests, RecordCommands.handicap,
    TournamentCreateCommand.command, TournamentJoinCommand.command, TournamentEnterCommand.command,
    TournamentStateCommand.start, TournamentStateCommand.finalise, TournamentWatchCommand.command,
    TournamentStateCommand.startEvent, TournamentStateCommand.finaliseEvent,
    TournamentResultsCommand.command, TournamentRankCommand.command, TournamentWhyCommand.command,
    EventImportCommand.command, EventResultsCommand.command, EventEndCommand.command,
    EventDocumentCommands.paper, EventDocumentCommands.export, EventPlatesCommand.command,
    EventRehearseCommand.command,
    EventCardCommands.second, EventCardCommands.rule,
    EventEndRuleCommands.rule, EventEndRuleCommands.move,
    EventCardCommands.confirm, EventCreateCommand.command, EventLineCommand.command,
    EventWatchCommands.bracket, EventWatchCommands.match,
    EventMatchCommands.score, EventMatchCommands.show, EventCheckInCommand.command,
    EventJoinCommand.command,
    TournamentReplayCommand.command, ScoreCommands.tournament, ScoreCommands.shoot,
    ScoreCommands.round, RoundImportCommand.command, BoardCommand.command,
    ScoreListCommands.importing, ScoreListCommands.exporting,
    LogbookWeightsCommand.command, LogbookAddCommand.command, LogbookTrendCommand.command,
    LogbookFileCommands.importing, LogbookFileCommands.exporting, StrengthImportCommand.command,
    StrengthShowCommand.list, StrengthShowCommand.show, StrengthExportCommand.command,
  ]
}
