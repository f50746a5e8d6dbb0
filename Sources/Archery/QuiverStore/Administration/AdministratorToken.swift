import QuiverRules

/// The administrator's token in the data directory, `admin.token`, which the first start writes.
package enum AdministratorToken {
  /// Makes the first administrator and its token, in a store that has no administrator.
  ///
  /// The file is on the disk before the token is in the database: a crash between leaves a file
  /// that the next start writes again, never an administrator without a token.
  package static func makeFirst(in store: Store) throws(StoreError) {
    let administrator = try store.read { (snapshot) throws(StoreError) in
      try snapshot.firstAdministrator()
    }
    if administrator == nil { _ = try write(in: store) }
  }

  /// Creates another token for the first administrator of a stopped server, and writes it.
  ///
  /// It is what `quiverd admin-token --data DIR` does; answers the path of the file. If a running
  /// server has locked the directory, this throws with that reason.
  ///
  /// - Parameters:
  ///   - database: the address of the database of PostgreSQL that the server stores in, beside
  ///     which other servers may run; nil: it stores in SQLite.
  ///   - createsDatabase: whether a missing database is created.
  package static func make(
    dataDirectory: String, database: String? = nil, createsDatabase: Bool = true
  ) throws(StoreError) -> String {
    let store = try open(dataDirectory, database, createsDatabase: createsDatabase)
    defer { store.close() }
    return try write(in: store)
  }

  private static func open(
    _ dataDirectory: String, _ database: String?, createsDatabase: Bool
  ) throws(StoreError) -> Store {
    var configuration = StoreConfiguration(directory: dataDirectory)
    configuration.databaseAddress = database
    configuration.databaseWorkers = 1
    configuration.createsDatabase = createsDatabase
    configuration.clockPolicy = .ignore
    return try Store(configuration)
  }

  /// Creates a data directory with a database and an administrator, and answers the path of its
  /// token.
  ///
  /// It is what `quiverd init --data DIR` does. Throws if there is a store, which stays as it is.
  package static func makeStore(
    dataDirectory: String, database: String? = nil
  ) throws(StoreError) -> String {
    if let database { return try makeFirst(dataDirectory: dataDirectory, in: database) }
    let path = dataDirectory + "/quiver.db"
    guard try DatabaseFile(path: path).isEmpty else {
      throw StoreError(
        .alreadyExists,
        "there is a database already, \(path); start the server with --data \(dataDirectory)")
    }
    return try make(dataDirectory: dataDirectory)
  }

  private static func makeFirst(
    dataDirectory: String, in database: String
  ) throws(StoreError) -> String {
    let store = try open(dataDirectory, database, createsDatabase: true)
    defer { store.close() }
    let administrator = try store.read { (snapshot) throws(StoreError) in
      try snapshot.firstAdministrator()
    }
    guard administrator == nil else {
      throw StoreError(
        .alreadyExists,
        """
        there is a store in the database already; start this server with --init --data \
        \(dataDirectory), or make another token with quiverd admin-token
        """)
    }
    return try write(in: store)
  }

  private static func write(in store: Store) throws(StoreError) -> String {
    let secret = try TokenSecret.make()
    let path = store.directory.adminTokenPath
    try store.directory.write(secret + "\n", to: path)
    _ = try store.perform(
      CreateAdministratorToken(secret: secret), CommandOptions(caller: CommandCaller(principal: 0)))
    return path
  }
}

/// A token for the first administrator, who is created if there is none.
private struct CreateAdministratorToken: Command {
  static var keepsReply: Bool { false }

  let secret: String

  func apply(in transaction: borrowing Transaction) throws(StoreError) -> NewToken {
    let known = try transaction.snapshot.firstAdministrator()
    let administrator: PrincipalRecord
    if let known {
      administrator = known
    } else {
      administrator = try CreatePrincipal(kind: .administrator, displayName: "Administrator")
        .apply(in: transaction)
    }
    return try CreateToken(
      principal: administrator.id, label: "admin.token", expiresAtMilliseconds: nil,
      secret: secret
    ).apply(in: transaction)
  }
}
