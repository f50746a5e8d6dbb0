public import Observation
import QuiverAPI
public import QuiverRules

/// The exercises of a strength log on the server or in a file, and the daily maxima of one.
@MainActor
@Observable
public final class StrengthLogModel {
  /// Where the sets come from.
  public private(set) var source = Source.server
  /// By the bytes of their names; empty after an error.
  public private(set) var exercises: [StrengthExercise] = []
  /// The exercise whose daily maxima are shown; empty if none.
  public private(set) var exercise = ""
  /// The last 31 daily maxima on a narrow screen, 93 on a wide one, oldest first.
  public var points: [LiftDay] {
    series.last(isWide ? LiftSeries.wideWindow : LiftSeries.narrowWindow)
  }
  /// The selected daily maximum, or the latest if none is selected.
  public var shown: LiftDay? { selected ?? series.latest }
  /// The largest daily maximum of the exercise; nil: none.
  public private(set) var record: LiftDay?
  /// The daily maximum that the user selected; nil: none.
  public private(set) var selected: LiftDay?
  /// Whether the screen is wide enough for the long window.
  public var isWide = false
  /// The load state of the log.
  public private(set) var state = LoadState.idle(staleSince: nil)
  /// The lines of a file that could not be read.
  public private(set) var badLines = BadLines()
  /// The unit in which weights are shown.
  public let unit: MassUnit

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var file: StrengthFile?
  private var series = LiftSeries(days: [])

  /// Where the sets come from.
  public enum Source: Sendable, Equatable {
    /// The server.
    case server
    /// A log in a file on this device, with the unit of its weights.
    case file(path: String, unit: MassUnit)
  }

  /// Shows nothing before the first load.
  public init(_ session: OfflineSession, unit: MassUnit = .pound) {
    self.session = session
    self.unit = unit
  }

  /// Changes the source of the sets, and loads them.
  public func use(_ source: Source) async throws(SessionError) {
    self.source = source
    (exercises, exercise, file, badLines) = ([], "", nil, BadLines())
    showSeries(LiftSeries(days: []), record: nil)
    try await load()
  }

  /// Loads the exercises from the server or the file; without a connection the last state stays.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    let asked = source
    let error: SessionError?
    switch asked {
    case .server: error = await loadServer()
    case .file(let path, let unit): error = await loadFile(path, unit)
    }
    guard asked == source else { return }
    if let error { throw fail(error) }
    let kept = exercises.first { $0.name == exercise } ?? exercises.first
    if let kept { return try await open(kept.name) }
    exercise = ""
    showSeries(LiftSeries(days: []), record: nil)
  }

  /// Shows the daily maxima of an exercise, with none selected.
  public func open(_ name: String) async throws(SessionError) {
    exercise = name
    selected = nil
    if let file {
      let series = file.series(of: name, in: unit)
      return showSeries(series, record: series.record)
    }
    guard source == .server else { return }
    do throws(SessionError) {
      let found = try await session.strengthSeries(of: name, in: unit)
      // The user may have opened another source or exercise in the meantime.
      guard source == .server, exercise == name else { return }
      showSeries(LiftSeries(days: found.days), record: found.record)
    } catch {
      guard source == .server, exercise == name else { return }
      throw fail(error)
    }
  }

  /// Selects the daily maximum of the window nearest to a day, the earlier of two at the same
  /// distance.
  public func select(nearestTo day: Int32) { selected = LiftSeries(days: points).nearest(to: day) }

  /// Clears the selection: the latest daily maximum is shown.
  public func deselect() { selected = nil }

  /// Clears the error.
  public func clearError() {
    if state.error != nil { state = .idle(staleSince: nil) }
  }

  private func loadServer() async -> SessionError? {
    let (session, unit) = (session, unit)
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchExercises(store, in: unit)
    }
    do throws(SessionError) {
      let known = try await session.exercises(in: unit)
      guard source == .server else { return nil }
      exercises = known?.exercises ?? []
      state = .loaded(staleSince: error == nil ? nil : known?.fetchedAt)
      if let error, !(error.isTransient && known != nil) { return error }
      return nil
    } catch {
      return error
    }
  }

  private func loadFile(_ path: String, _ unit: MassUnit) async -> SessionError? {
    do throws(SessionError) {
      let read = try await StrengthFile.read(path, unit)
      guard source == .file(path: path, unit: unit) else { return nil }
      file = read
      exercises = read.exercises(in: self.unit)
      badLines = read.badLines
      state = .loaded(staleSince: nil)
      return nil
    } catch {
      return error
    }
  }

  private func showSeries(_ series: LiftSeries, record: LiftDay?) {
    self.series = series
    self.record = record
    selected = nil
  }

  private func fail(_ error: SessionError) -> SessionError {
    exercises = []
    showSeries(LiftSeries(days: []), record: nil)
    let error = error.whileTrying(to: "load strength log")
    state = .failed(error)
    return error
  }
}

/// An exercise with its record and its latest daily maximum.
public struct StrengthExercise: Sendable, Equatable, Identifiable {
  /// The name of the exercise.
  public let name: String
  /// The number of lines in the log.
  public let setCount: Int64
  /// The largest one-rep max; nil if no set has one.
  public let record: LiftDay?
  /// The latest daily maximum; nil if no set has one.
  public let latest: LiftDay?

  public var id: String { name }
}
