import Synchronization

/// The engine of a store on SQLite: the data directory with its database, and the writer's thread.
final class SQLiteEngine: Sendable {
  let directory: DataDirectory
  let epoch: UInt64
  let time: StoreTime
  let times: StoreTimes
  let readers: ReaderPool
  let features: StoreFeatures
  let writer: Writer

  /// The size of the write-ahead log that the start recovered after a crash; nil: the last stop
  /// was clean, or there was no log.
  let recoveredLogByteCount: Int64?

  private let startCheck: StartCheck?
  private let pageScrub: PageScrub
  private let unfinishedErasures: [Int64]

  /// Opens the database in the data directory, and creates both if they are missing and the
  /// configuration permits it.
  init(_ configuration: StoreConfiguration) throws(StoreError) {
    if !configuration.createsDatabase {
      try DataDirectory.requireDatabase(in: configuration.directory)
    }
    let directory = try DataDirectory(path: configuration.directory)
    self.directory = directory
    let file = try DatabaseFile(path: directory.databasePath)
    try file.validate()
    if file.isEmpty { try directory.checkNotLost() }
    recoveredLogByteCount =
      file.hasLog && !directory.hasCleanMark ? file.logByteCount : nil
    directory.removeUnfinishedBackup()
    try directory.makeDatabaseFile()
    try directory.lockDatabase()
    let isCheckDue =
      !directory.hasCleanMark || file.byteCount <= configuration.checkedBeforeServingByteCount
    let database = try Database(
      path: directory.databasePath, configuration, isCheckDue: isCheckDue && !file.isEmpty
    ) { () throws(StoreError) in
      try directory.removeCleanMark()
    }
    epoch = database.epoch
    times = StoreTimes()
    time = database.time
    var reading = configuration
    reading.fileSystem = database.fileSystem
    readers = ReaderPool(
      path: database.path, reading, pageTokenKey: database.pageTokenKey)
    features = StoreFeatures(readers: readers)
    writer = Writer(
      database, files: FileWatch(directory, configuration), readers: readers,
      observers: features.observers, times: times, configuration: configuration)
    startCheck = isCheckDue ? nil : StartCheck(path: database.path, reading)
    pageScrub = PageScrub(path: database.path, reading)
    unfinishedErasures = EraseAccount.unfinished(on: database.connection)
  }

  /// Starts the threads.
  func start(_ store: Store) throws(StoreError) {
    try writer.start()
    try startCheck?.start()
    try pageScrub.start()
    features.erasures.start(store, unfinished: unfinishedErasures)
  }

  /// Ends the checks, which must not wait for reads.
  func stopChecks() {
    startCheck?.stop()
    pageScrub.stop()
  }

  /// Writes the queued commands and closes the files.
  func close() {
    writer.stop()
    readers.close()
    // A failure to write the mark is harmless: without it the next start checks every page.
    let isEmptied = writer.emptyLog()
    writer.closeDatabase()
    if isEmptied { try? directory.makeCleanMark() }
    directory.release()
  }

  func install(_ hooks: StoreHooks) {
    writer.install(hooks)
    startCheck?.install(hooks.checked)
    pageScrub.install(hooks.checked)
  }
}
