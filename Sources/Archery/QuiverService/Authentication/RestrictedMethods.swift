import QuiverAPI
import QuiverRPC

/// Which methods a scoring device, an official who is bound to an event, and a spectator may call.
///
/// A method that is not named here is PERMISSION_DENIED for all of them; a test compares all
/// methods of all services with this table.
///
/// A method that is named may still refuse: a device sees its own event, and scores the targets
/// that it leases; an official has a role in its own event alone, which each command asks for in
/// its transaction.
enum RestrictedMethods {
  /// Who may call a method.
  struct Callers: OptionSet {
    let rawValue: Int

    static let device = Callers(rawValue: 1)
    /// A device that has ended, and delivers what it recorded before.
    static let endedDevice = Callers(rawValue: 2)
    static let spectator = Callers(rawValue: 4)
    static let official = Callers(rawValue: 8)
  }

  static let table: [(method: MethodInfo, callers: Callers)] = [
    (Health.check.info, [.device, .endedDevice, .spectator, .official]),
    (Health.watch.info, [.device, .endedDevice, .spectator, .official]),
    (Reflection.describe.info, [.device, .endedDevice, .spectator, .official]),

    (Tournament.getTournament.info, [.device, .official]),
    (Tournament.getSpectatorToken.info, [.device, .spectator, .official]),
    (Tournament.recordArrow.info, [.device, .official]),
    (Tournament.recordEnd.info, [.device, .official]),
    (Tournament.correctArrow.info, [.device, .official]),
    (Tournament.retractArrow.info, [.device, .official]),
    (Tournament.applyOperations.info, [.device, .endedDevice, .official]),
    (Tournament.getStandings.info, [.spectator, .official]),
    (Tournament.rankUnderPolicy.info, [.spectator, .official]),
    (Tournament.explainRank.info, [.spectator, .official]),
    (Tournament.getResults.info, [.spectator, .official]),
    (Tournament.listTiePolicies.info, [.spectator, .official]),
    (Tournament.watchLeaderboard.info, [.spectator, .official]),
    (Tournament.watchTournament.info, [.device, .spectator, .official]),

    (Events.listEventCategories.info, [.device, .spectator]),
    (Events.listEventSessions.info, [.device, .spectator]),
    (Events.getCategoryStandings.info, .spectator),
    (Events.getTeamStandings.info, .spectator),
    (Events.listEventNotices.info, [.device, .spectator]),
    (Events.joinTarget.info, [.device, .endedDevice]),
    (Events.leaveTarget.info, .device),
    (Events.applyCardOperations.info, [.device, .endedDevice]),
    (Events.confirmScoreCard.info, .device),
    (Events.setPaperTotal.info, .device),
    (Events.watchTargets.info, .device),
    (Events.raiseTargetCall.info, .device),
    (Events.listTargetCalls.info, .device),
    (Events.reportDevice.info, .device),
    (Events.deliverOperations.info, [.device, .endedDevice]),

    (Elimination.getMatch.info, [.device, .spectator]),
    (Elimination.watchMatch.info, [.device, .spectator]),
    (Elimination.applyMatchOperations.info, [.device, .endedDevice]),
    (Elimination.confirmMatchCard.info, .device),
    (Elimination.listStages.info, .spectator),
    (Elimination.getBracket.info, .spectator),
    (Elimination.watchBracket.info, .spectator),
  ]

  /// What officials call besides: all of their event, and nothing of accounts.
  private static let ofEvents: [MethodInfo] =
    Events.declarations + Elimination.declarations + [
      Account.whoAmI.info, Rounds.listFormats.info, Rounds.getFormat.info,
      Tournament.listTournaments.info, Tournament.updateTournament.info,
      Tournament.startTournament.info, Tournament.pauseTournament.info,
      Tournament.finaliseTournament.info, Tournament.reopenTournament.info,
      Tournament.cancelTournament.info, Tournament.listParticipants.info,
      Tournament.withdrawParticipant.info, Tournament.disqualifyParticipant.info,
      Tournament.reinstateParticipant.info, Tournament.listScorers.info,
      Tournament.listLateOperations.info, Tournament.admitOperations.info,
      Tournament.rejectOperations.info,
    ]
  /// Those of phones alone, and that by which an official comes to its token.
  private static let notOfOfficials: [MethodInfo] = [
    Events.signInOfficial.info, Events.watchTargets.info, Events.reportDevice.info,
    Events.deliverOperations.info,
  ]

  static let ofOfficials = MethodSet(
    ids(of: .official).union(ofEvents.map(\.id)).subtracting(notOfOfficials.map(\.id)),
    refusal: "this sign-in is bound to one event, and to what its role may do there")
  static let ofDevices = MethodSet(
    ids(of: .device), refusal: "a device may only score the targets that it has joined")
  static let ofEndedDevices = MethodSet(
    ids(of: .endedDevice),
    refusal: "this device has ended: it may send what it recorded, or join a target anew")
  static let ofSpectators = MethodSet(
    ids(of: .spectator), refusal: "a spectator's token is valid only for its event")

  private static func ids(of caller: Callers) -> Set<UInt32> {
    Set(table.lazy.filter { $0.callers.contains(caller) }.map(\.method.id))
  }
}
