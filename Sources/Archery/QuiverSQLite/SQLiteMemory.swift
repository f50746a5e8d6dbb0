import CSQLite

#if DEBUG
  /// The memory that SQLite has in this process, of all connections: pages, statements, and what it
  /// sorts or keeps to undo a statement (`sqlite3_memory_used`), for tests that bound it.
  ///
  /// An optimized program does not count it.
  package enum SQLiteMemory {
    /// The bytes that are allocated now.
    package static var byteCount: Int64 { sqlite3_memory_used() }

    /// The largest number of bytes at once since ``forgetHighest()``.
    package static var highestByteCount: Int64 { sqlite3_memory_highwater(0) }

    /// Begins to note the largest number of bytes again.
    package static func forgetHighest() { _ = sqlite3_memory_highwater(1) }
  }
#endif
