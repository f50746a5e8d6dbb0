import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// The notices of an event and the pause of its shooting, as the server last sent them.
///
/// They are stored as one message, whose event has its id, its name, its status and its pause only.
extension LocalTransaction {
  /// Adds what a watch or a load has sent.
  func takeNotices(
    _ update: WatchTournamentResponse, of event: Int64, limits: SessionLimits
  ) throws(SessionError) {
    let name = NoticeBoard.name(event)
    let known: WatchTournamentResponse? = try eventAnswer(name)?.answer
    let board = update.board(over: known)
    guard board != known, board != WatchTournamentResponse() else { return }
    try keepEventAnswer(name, board, limits: limits)
  }

  /// Notes a pause that this device has begun or ended.
  func takePause(
    _ pause: ShootingPause, of event: Int64, limits: SessionLimits
  ) throws(SessionError) {
    let known: WatchTournamentResponse? = try eventAnswer(NoticeBoard.name(event))?.answer
    guard var tournament = known?.tournament else { return }
    tournament.shootingPause = pause.endedAtMilliseconds == 0 ? pause : nil
    try takeNotices(.with { $0.tournament = tournament }, of: event, limits: limits)
  }
}

/// Names the stored message.
enum NoticeBoard {
  /// As many as the server keeps of an event.
  static let keptNotices = 50

  static func name(_ event: Int64) -> String { "notices \(event)" }
}

extension WatchTournamentResponse {
  /// What is stored after this message.
  ///
  /// The first message of a snapshot has all notices. Only those that came after it are kept beside
  /// them, since a load may end after a message of a watch.
  fileprivate func board(over known: WatchTournamentResponse?) -> WatchTournamentResponse {
    var board = WatchTournamentResponse()
    board.tournament =
      tournament.map { event in
        .with { shown in
          (shown.id, shown.name, shown.status) = (event.id, event.name, event.status)
          shown.shootingPause = event.shootingPause
        }
      } ?? known?.tournament
    let ids = Set(notices.map(\.id))
    var others = (known?.notices ?? []).filter { !ids.contains($0.id) }
    if span?.isSnapshot == true, tournament != nil {
      let latest = ids.max() ?? 0
      others.removeAll { $0.id < latest }
    }
    board.notices = Array(
      (notices + others).sorted { $0.id > $1.id }.prefix(NoticeBoard.keptNotices))
    return board
  }
}
