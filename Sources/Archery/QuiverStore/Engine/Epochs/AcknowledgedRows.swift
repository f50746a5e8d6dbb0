import Glibc
import Synchronization

/// The latest rows of the journal that a server has acknowledged, in a file of its data directory:
/// outside of the database, so that a start notices that the database was set back.
///
/// A commit that is lost is lost with all later ones, and answers leave in the order of commits but
/// for the few commands that run at once. So if the latest rows are there, all are. The file is
/// written with each answer, and synced each second: it survives the end of the process, and the
/// failure of its machine except for the last second. Any thread may use it.
final class AcknowledgedRows: Sendable {
  /// A row of the journal, and what tells it from another one in its place.
  struct Row: Sendable, Equatable {
    var sequence: Int64
    var principal: Int64
    var kind: Int64
    var objectID: Int64
    var atMilliseconds: Int64

    fileprivate var words: [Int64] { [sequence, principal, kind, objectID, atMilliseconds] }

    fileprivate init?(_ words: [Int64]) {
      guard words.count == AcknowledgedRows.wordsPerRow, words[0] > 0,
        words[5] == AcknowledgedRows.checksum(words.prefix(5))
      else { return nil }
      (sequence, principal, kind) = (words[0], words[1], words[2])
      (objectID, atMilliseconds) = (words[3], words[4])
    }

    init(
      sequence: Int64, principal: Int64, kind: Int64, objectID: Int64, atMilliseconds: Int64
    ) {
      self.sequence = sequence
      self.principal = principal
      self.kind = kind
      self.objectID = objectID
      self.atMilliseconds = atMilliseconds
    }
  }

  /// The store and the epoch that the rows are of, and the epoch's base.
  struct Identity: Sendable, Equatable {
    /// The same in all epochs of a store.
    var store: Int64
    var epoch: Int64
    var base: Int64
  }

  private struct State: Sendable {
    var descriptor: Int32
    var nextPlace = 0
    var isChanged = false
  }

  private let state: Mutex<State>

  /// What the file had when it was opened; nil: it was new, or of another form.
  let found: (identity: Identity, rows: [Row])?

  private static let wordsPerRow = 6
  private static let headerWords = 8
  private static let rowCount = StoreLimits.acknowledgedRows
  /// "QUIVHIST" in ASCII.
  private static let magic: Int64 = 0x5155_4956_4849_5354

  init(_ directory: DataDirectory) throws(StoreError) {
    let path = directory.path + "/quiver.history"
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(
        .failedPrecondition, "cannot write the file \(path): \(String(cString: strerror(errno)))")
    }
    let count = Self.headerWords + Self.rowCount * Self.wordsPerRow
    var words = [Int64](repeating: 0, count: count)
    let size = count * MemoryLayout<Int64>.size
    let length = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, size, 0) }
    if length > 0, words[0] == Self.magic, words[4] == Self.checksum(words[0..<4]) {
      let rows = (0..<Self.rowCount).compactMap { place in
        let start = Self.headerWords + place * Self.wordsPerRow
        return Row(Array(words[start..<start + Self.wordsPerRow]))
      }
      found = (Identity(store: words[1], epoch: words[2], base: words[3]), rows)
    } else {
      found = nil
    }
    state = Mutex(State(descriptor: descriptor))
  }

  deinit { close() }

  /// Forgets all rows, and notes what later ones are of.
  func begin(_ identity: Identity) throws(StoreError) {
    var words: [Int64] = [Self.magic, identity.store, identity.epoch, identity.base]
    words.append(Self.checksum(words[...]))
    words += [Int64](repeating: 0, count: Self.headerWords - words.count)
    words += [Int64](repeating: 0, count: Self.rowCount * Self.wordsPerRow)
    let isWritten = state.withLock { state in
      state.nextPlace = 0
      return Self.write(words, at: 0, state.descriptor) && fdatasync(state.descriptor) == 0
    }
    guard isWritten else {
      throw StoreError(
        .failedPrecondition,
        "cannot write the file quiver.history: \(String(cString: strerror(errno)))")
    }
  }

  /// A command with this row will be answered now.
  func note(_ row: Row) {
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      let words = row.words + [Self.checksum(row.words[...])]
      let place = Self.headerWords + state.nextPlace * Self.wordsPerRow
      _ = Self.write(words, at: place, state.descriptor)
      state.nextPlace = (state.nextPlace + 1) % Self.rowCount
      state.isChanged = true
    }
  }

  /// Writes what was noted to the disk.
  func synchronize() {
    let descriptor = state.withLock { state in
      defer { state.isChanged = false }
      return state.isChanged ? state.descriptor : -1
    }
    if descriptor >= 0 { fdatasync(descriptor) }
  }

  func close() {
    synchronize()
    state.withLock { state in
      if state.descriptor >= 0 { Glibc.close(state.descriptor) }
      state.descriptor = -1
    }
  }

  private static func write(_ words: [Int64], at place: Int, _ descriptor: Int32) -> Bool {
    words.withUnsafeBytes { bytes in
      pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(place * MemoryLayout<Int64>.size))
        == bytes.count
    }
  }

  /// Tells a row that was written in part.
  private static func checksum(_ words: ArraySlice<Int64>) -> Int64 {
    words.reduce(Self.magic) { ($0 &* 31) ^ $1 &+ ($0 >> 7) }
  }
}
