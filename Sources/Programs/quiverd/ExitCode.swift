import QuiverStore

/// The exit codes of the process, as in `--help`.
enum ExitCode: Int32 {
  case done = 0
  /// A second signal ended it at once.
  case interrupted = 1
  case usage = 64
  /// A mistake in the program: a method has no handler.
  case internalFault = 70
  /// The data directory or what is in it cannot be used.
  case cannotUseData = 73
  /// The device failed to read, write or sync a file of the store.
  case storeFailed = 74
  /// Another server has the directory or the address.
  case inUse = 75

  /// Why a store could not be opened.
  init(openingFailed error: StoreError) {
    self =
      error.isDeviceFailure
      ? .storeFailed : error.code == .unavailable ? .inUse : .cannotUseData
  }
}

/// Why the server cannot start, with the code that the process ends with.
struct Failure: Error {
  let code: ExitCode
  let message: String

  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }
}
