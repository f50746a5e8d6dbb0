import QuiverSQLite

/// Compares all pages of the database file with their checksums, slowly and again and again, while
/// the store is open.
///
/// It has a dedicated thread and read-only connection, without a snapshot, so that it delays no
/// checkpoint. A database whose pages have no checksums is left alone.
final class PageScrub: Sendable {
  private let path: String
  private let fileSystem: String?
  private let intervalMilliseconds: UInt64
  private let state = Monitor(State())

  private struct State {
    var isStopping = false
    var hasEnded = false
    /// Damage that was found before the hook was installed.
    var found: [StoreError] = []
    var hook: @Sendable (StoreError?) -> Void = { _ in }
  }

  init(path: String, _ configuration: StoreConfiguration) {
    self.path = path
    fileSystem = configuration.fileSystem
    intervalMilliseconds = configuration.scrubIntervalMilliseconds
    state.withLock { $0.hook = configuration.hooks.checked }
  }

  func start() throws(StoreError) {
    do throws(StoreError) {
      try DedicatedThread.start { self.run() }
    } catch {
      state.withLock { $0.hasEnded = true }
      throw error
    }
  }

  /// Calls `hook` with damage that is found, and at once with what was found before.
  func install(_ hook: @escaping @Sendable (StoreError?) -> Void) {
    let found = state.withLock { state in
      state.hook = hook
      return state.found
    }
    for damage in found { hook(damage) }
  }

  /// Ends it, and returns when its connection is closed.
  func stop() {
    state.withLock { $0.isStopping = true }
    state.broadcast()
    _ = state.wait { $0.hasEnded ? true : nil }
  }

  private func run() {
    // Nothing is opened for a store that is closed soon.
    if waitForTurn() { scrub() }
    state.withLock { $0.hasEnded = true }
    state.broadcast()
  }

  /// Returns false if the thread must end.
  private func waitForTurn() -> Bool {
    state.wait(milliseconds: intervalMilliseconds) { $0.isStopping ? true : nil } == nil
  }

  private func scrub() {
    guard
      let connection = try? Connection(path: path, mode: .readOnly, fileSystem: fileSystem)
    else { return }
    defer { connection.close() }
    // SQLite reads the header of the file, which says whether there are checksums.
    guard (try? connection.value("PRAGMA schema_version")) != nil else { return }
    var next: Int64 = 1
    repeat {
      // A page that cannot be read now is looked at again in the next round.
      let scan = try? connection.scanPages(from: next, count: StoreLimits.scrubbedPages)
      guard scan?.isEnabled != false else { return }
      let count = scan?.pageCount ?? StoreLimits.scrubbedPages
      if let page = scan?.damagedPage {
        report(Database.damage(path, "page \(page) differs from its checksum"))
        next = page + 1
      } else {
        next = count < StoreLimits.scrubbedPages ? 1 : next + count
      }
    } while waitForTurn()
  }

  private func report(_ damage: StoreError) {
    let hook = state.withLock { state in
      if state.found.count < StoreLimits.findingsPerCheck { state.found.append(damage) }
      return state.hook
    }
    hook(damage)
  }
}

extension Session {
  /// Compares pages of the database file with their checksums.
  func scanPages(from first: Int64) throws(StoreError) -> PageScan {
    do {
      return try connection.scanPages(from: first, count: StoreLimits.verifiedPagesPerSlice)
    } catch {
      throw StoreError(error)
    }
  }
}
