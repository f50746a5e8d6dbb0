public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
public import QuiverRules

/// Scores, body weight and strength by day.
///
/// The server computes the days; without a connection the last ones stay. Changes that wait on this
/// device are not among them.
@MainActor
@Observable
public final class TrainingLogModel {
  /// The days of ``span`` with an entry, a set or a round, newest first; empty after an error.
  public private(set) var days: [TrainingDay] = []
  /// The days that are shown, in days since 1970-01-01.
  public private(set) var span: ClosedRange<Int32>
  /// The unit in which weights are shown.
  public let unit: MassUnit
  /// The load state of the days.
  public private(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession

  /// The largest number of days of a span.
  public static let maximumDayCount = 366

  /// Shows nothing before the first load, which refuses a span of more than ``maximumDayCount``
  /// days.
  public init(_ session: OfflineSession, span: ClosedRange<Int32>, unit: MassUnit = .pound) {
    self.session = session
    self.span = span
    self.unit = unit
  }

  /// Sends the pending changes, then loads the days; without a connection the last ones of the same
  /// span stay.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    let (session, asked, request) = (session, span, request)
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchTrainingLog(request, store)
    }
    let known = try? await session.trainingLog(request)
    // The user may have chosen another span in the meantime.
    guard asked == span else { return }
    if let error, !(error.isTransient && known != nil) {
      days = []
      let error = error.whileTrying(to: "load training log")
      state = .failed(error)
      throw error
    }
    days = known?.days ?? []
    state = .loaded(staleSince: error == nil ? nil : known.map { WallClock.date($0.fetchedAt) })
  }

  /// Shows another span, and loads it.
  public func choose(_ span: ClosedRange<Int32>) async throws(SessionError) {
    guard span != self.span else { return }
    self.span = span
    days = []
    try await load()
  }

  /// Clears the error.
  public func clearError() {
    if state.error != nil { state = .idle(staleSince: nil) }
  }

  private var request: GetTrainingLogRequest {
    var request = GetTrainingLogRequest()
    request.fromDay = span.lowerBound
    request.toDay = span.upperBound
    request.unit = QuiverAPI.WeightUnit(rawValue: unit.rawValue)
    return request
  }
}

/// Stores the server's last training log.
extension OfflineSession {
  private static let requestName = "training log request"
  private static let logName = "training log"

  func fetchTrainingLog(
    _ request: GetTrainingLogRequest, _ store: LocalStore
  ) async throws(SessionError) {
    let log = try await call(Logbook.getTrainingLog, request)
    try await store.write { (transaction) throws(SessionError) in
      let now = WallClock.nowMilliseconds()
      try transaction.keepAnswer(
        Self.requestName, request.serializedBytes(), fetchedAt: now, key: .trainingLog)
      try transaction.keepAnswer(
        Self.logName, log.serializedBytes(), fetchedAt: now, key: .trainingLog)
    }
  }

  /// The last reply if it is to this request, and when it was fetched.
  func trainingLog(
    _ request: GetTrainingLogRequest
  ) async throws(SessionError) -> (days: [TrainingDay], fetchedAt: Int64)? {
    try await store().read { (transaction) throws(SessionError) in
      guard try transaction.answer(Self.requestName)?.message == request.serializedBytes(),
        let (bytes, fetchedAt) = try transaction.answer(Self.logName),
        let log = try? GetTrainingLogResponse(serializedBytes: bytes)
      else { return nil }
      return (log.days, fetchedAt)
    }
  }
}
