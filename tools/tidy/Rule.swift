/// What tidy checks, by the name that findings carry.
enum Rule: String, CaseIterable {
  case arrow
  case manifest
  case cPointer = "c-pointer"
  case fileLength = "file-length"
  case functionLength = "function-length"
  case lineLength = "line-length"
  case word
  case name
  case machinePath = "machine-path"
  case peerTrap = "peer-trap"
  case peerConversion = "peer-conversion"
  case unexplainedTrap = "unexplained-trap"
  case unexplainedUnsafe = "unexplained-unsafe"
  case handlerParity = "handler-parity"
  case methodID = "method-id"
  case emptyTest = "empty-test"
  case disabledTest = "disabled-test"
  case timedTest = "timed-test"

  var sentence: String {
    switch self {
    case .arrow:
      "a room imports only what its row in Rooms.swift allows, and Foundation nowhere"
    case .manifest:
      "Package.swift declares only arrows of the table, and every room and import is declared"
    case .cPointer: "no package or public signature holds a pointer or type of a C library"
    case .fileLength: "a Swift file has at most \(Limits.fileLines) lines"
    case .functionLength: "a function has at most \(Limits.functionLines) lines"
    case .lineLength: "a line of Swift has at most \(Limits.lineCharacters) characters"
    case .word: "no word that says a thing is unfinished"
    case .name: "files and folders are named for their work, never for their age or as a heap"
    case .machinePath: "no path of one machine"
    case .peerTrap: "what reads a peer's bytes never forces: no try!, as! or postfix !"
    case .peerConversion:
      "what reads a peer's bytes converts integers by exactly:, clamping:, truncatingIfNeeded:"
        + " or with a reason after `// proved:`"
    case .unexplainedTrap: "try!, as! and fatalError have their reason in a comment beside them"
    case .unexplainedUnsafe:
      "@unchecked Sendable, nonisolated(unsafe) and unsafe have their reason in a comment"
    case .handlerParity: "each rpc of Protos has its method in QuiverAPI and its handler's body"
    case .methodID: "a method id is 256 x service + 1 to 255, and nobody else's"
    case .emptyTest: "a test expects something"
    case .disabledTest: "no test is disabled"
    case .timedTest: "no test sleeps on a thread or asserts on a wall clock"
    }
  }
}

enum Limits {
  static let fileLines = 500
  static let functionLines = 70
  static let lineCharacters = 100
}
