import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// The notices of an event and the pause of its shooting, as the server last sent them.
///
/// They are stored as one message, whose event has its id, its name, its status and its latest
/// pause only. A pause that has ended stays there, so that an older reply does not begin it again.
extension LocalTransaction {
  /// Adds what a watch has sent, or what a load has read over `known`, the newest ids before its
  /// call.
  func takeNotices(
    _ update: WatchTournamentResponse, of event: Int64, loadedOver known: NoticeBoard.Newest? = nil,
    limits: SessionLimits
  ) throws(SessionError) {
    let name = NoticeBoard.name(event)
    let stored: WatchTournamentResponse? = try eventAnswer(name)?.answer
    let board = update.board(over: stored, loadedOver: known)
    guard board != stored, board != WatchTournamentResponse() else { return }
    try keepEventAnswer(name, board, limits: limits)
  }

  /// Notes a pause that this device has begun or ended.
  func takePause(
    _ pause: ShootingPause, of event: Int64, limits: SessionLimits
  ) throws(SessionError) {
    let name = NoticeBoard.name(event)
    let stored: WatchTournamentResponse? = try eventAnswer(name)?.answer
    guard var board = stored, let known = board.tournament else { return }
    board.tournament?.shootingPause = NoticeBoard.newer(pause, known.shootingPause)
    guard board != stored else { return }
    try keepEventAnswer(name, board, limits: limits)
  }

  /// The newest ids of the stored message.
  func newestNotices(of event: Int64) throws(SessionError) -> NoticeBoard.Newest {
    let stored: WatchTournamentResponse? = try eventAnswer(NoticeBoard.name(event))?.answer
    return NoticeBoard.Newest(
      notice: stored?.notices.map(\.id).max() ?? 0,
      pause: stored?.tournament?.shootingPause?.id ?? 0)
  }
}

/// What the stored message is, and how its pause changes.
enum NoticeBoard {
  /// As many as the server keeps of an event.
  static let keptNotices = 50

  /// Ids of the newest notice and the newest pause; 0: there is none.
  struct Newest: Sendable {
    var notice: Int64 = 0
    var pause: Int64 = 0
  }

  static func name(_ event: Int64) -> String { "notices \(event)" }

  /// The later one of two states of pauses: a pause that ended does not begin again.
  static func newer(_ one: ShootingPause, _ other: ShootingPause?) -> ShootingPause {
    guard let other else { return one }
    guard one.id == other.id else { return one.id > other.id ? one : other }
    return other.endedAtMilliseconds != 0 ? other : one
  }

  /// A pause that is known to have ended, some time after it began.
  static func ended(_ pause: ShootingPause) -> ShootingPause {
    guard pause.endedAtMilliseconds == 0 else { return pause }
    var ended = pause
    ended.endedAtMilliseconds = max(pause.startedAtMilliseconds, 1)
    return ended
  }
}

extension WatchTournamentResponse {
  /// What is stored after this message.
  ///
  /// The messages of a watch are in order: the first one of a snapshot has all notices, and an
  /// event without a pause has none any more. A load may end after a later message of a watch: it
  /// removes only what was stored before its call.
  fileprivate func board(
    over stored: WatchTournamentResponse?, loadedOver known: NoticeBoard.Newest?
  ) -> WatchTournamentResponse {
    var board = WatchTournamentResponse()
    board.tournament =
      tournament.map { event in
        .with { shown in
          (shown.id, shown.name, shown.status) = (event.id, event.name, event.status)
          shown.shootingPause = pause(of: event, over: stored, loadedOver: known)
        }
      } ?? stored?.tournament
    let ids = Set(notices.map(\.id))
    var others = (stored?.notices ?? []).filter { !ids.contains($0.id) }
    if span?.isSnapshot == true, tournament != nil {
      let latest = known?.notice ?? .max
      others.removeAll { $0.id <= latest }
    }
    board.notices = Array(
      (notices + others).sorted { $0.id > $1.id }.prefix(NoticeBoard.keptNotices))
    return board
  }

  private func pause(
    of event: TournamentEvent, over stored: WatchTournamentResponse?,
    loadedOver known: NoticeBoard.Newest?
  ) -> ShootingPause? {
    let storedPause = stored?.tournament?.shootingPause
    if let pause = event.shootingPause { return NoticeBoard.newer(pause, storedPause) }
    guard let storedPause, storedPause.id <= known?.pause ?? .max else { return storedPause }
    return NoticeBoard.ended(storedPause)
  }
}
