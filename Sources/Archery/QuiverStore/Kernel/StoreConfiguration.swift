/// How a store is opened.
package struct StoreConfiguration: Sendable {
  /// The data directory; made, with mode 0700, where it is not there.
  package var directory: String

  package var clock: StoreClock
  package var hooks: StoreHooks

  /// Commands that may wait for the writer.
  package var queuedCommands: Int

  /// Commands that share one commit at most.
  package var commandsPerGroup = StoreLimits.commandsPerGroup

  /// How long a read may take.
  package var readMilliseconds = StoreLimits.readMilliseconds

  /// The largest database, in bytes, that is checked before it is served.
  package var checkedBeforeServingByteCount = StoreLimits.checkedBeforeServingByteCount

  /// The layer that files are reached by (`sqlite3_vfs`); nil is the system's own.
  package var fileSystem: String?

  package init(
    directory: String, clock: StoreClock = .system, hooks: StoreHooks = StoreHooks(),
    queuedCommands: Int = StoreLimits.queuedCommands
  ) {
    self.directory = directory
    self.clock = clock
    self.hooks = hooks
    self.queuedCommands = queuedCommands
  }
}

/// What the store tells the process around it, on a thread of its own; none of it may block.
package struct StoreHooks: Sendable {
  /// A write or fsync failed: nothing is acknowledged any more and the process must leave.
  package var fatal: @Sendable (StoreError) -> Void

  /// These tokens are good no more, and that is committed and answered: their connections must go.
  package var tokensRevoked: @Sendable ([Int64]) -> Void

  /// A commit made rows of the change journal up to this sequence visible.
  package var committed: @Sendable (Int64) -> Void

  /// The check that ran behind serving has ended: nil where all is well, else what is damaged.
  ///
  /// Hooks that are installed later are told at once.
  package var checked: @Sendable (StoreError?) -> Void

  package init(
    fatal: @escaping @Sendable (StoreError) -> Void = { _ in },
    tokensRevoked: @escaping @Sendable ([Int64]) -> Void = { _ in },
    committed: @escaping @Sendable (Int64) -> Void = { _ in },
    checked: @escaping @Sendable (StoreError?) -> Void = { _ in }
  ) {
    self.checked = checked
    self.fatal = fatal
    self.tokensRevoked = tokensRevoked
    self.committed = committed
  }
}
