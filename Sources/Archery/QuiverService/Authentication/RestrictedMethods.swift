import QuiverAPI
import QuiverRPC

/// Which methods a scoring device and a spectator may call. A method that is not named here is
/// PERMISSION_DENIED for both; a test compares all methods of all services with this table.
///
/// A method that is named may still refuse: a device sees its own event, and scores the targets
/// that it leases.
enum RestrictedMethods {
  /// Who may call a method.
  struct Callers: OptionSet {
    let rawValue: Int

    static let device = Callers(rawValue: 1)
    /// A device that has ended, and delivers what it recorded before.
    static let endedDevice = Callers(rawValue: 2)
    static let spectator = Callers(rawValue: 4)
  }

  static let table: [(method: MethodInfo, callers: Callers)] = [
    (Health.check.info, [.device, .endedDevice, .spectator]),
    (Health.watch.info, [.device, .endedDevice, .spectator]),
    (Reflection.describe.info, [.device, .endedDevice, .spectator]),

    (Tournament.getTournament.info, .device),
    (Tournament.getSpectatorToken.info, [.device, .spectator]),
    (Tournament.recordArrow.info, .device),
    (Tournament.recordEnd.info, .device),
    (Tournament.correctArrow.info, .device),
    (Tournament.retractArrow.info, .device),
    (Tournament.applyOperations.info, [.device, .endedDevice]),
    (Tournament.getStandings.info, .spectator),
    (Tournament.rankUnderPolicy.info, .spectator),
    (Tournament.explainRank.info, .spectator),
    (Tournament.getResults.info, .spectator),
    (Tournament.listTiePolicies.info, .spectator),
    (Tournament.watchLeaderboard.info, .spectator),
    (Tournament.watchTournament.info, [.device, .spectator]),

    (Events.listEventCategories.info, [.device, .spectator]),
    (Events.listEventSessions.info, [.device, .spectator]),
    (Events.getCategoryStandings.info, .spectator),
    (Events.getTeamStandings.info, .spectator),
    (Events.listEventNotices.info, [.device, .spectator]),
    (Events.joinTarget.info, [.device, .endedDevice]),
    (Events.leaveTarget.info, .device),
    (Events.applyCardOperations.info, [.device, .endedDevice]),
    (Events.confirmScoreCard.info, .device),
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
