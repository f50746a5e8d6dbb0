/// The rules of tidy; the raw value is the name in a finding.
enum Rule: String, CaseIterable {
  case dependency
  case half
  case manifest
  case cPointer = "c-pointer"
  case fileLength = "file-length"
  case functionLength = "function-length"
  case lineLength = "line-length"
  case word
  case name
  case vocabulary
  case machinePath = "machine-path"
  case peerTrap = "peer-trap"
  case peerConversion = "peer-conversion"
  case unexplainedTrap = "unexplained-trap"
  case unexplainedUnsafe = "unexplained-unsafe"
  case lostSignal = "lost-signal"
  case httpText = "http-text"
  case output
  case methodID = "method-id"
  case emptyTest = "empty-test"
  case disabledTest = "disabled-test"
  case timedTest = "timed-test"
  case timeLimit = "time-limit"
  case folderSize = "folder-size"
  case earlyReader = "early-reader"

  var sentence: String {
    switch self {
    case .dependency:
      "a module imports only what its row in Modules.swift allows; Foundation only in place of"
        + " FoundationEssentials"
    case .half: "no module of Sources/RPC depends on a module of Sources/Archery"
    case .manifest:
      "Package.swift declares every module and import, and only what Modules.swift allows"
    case .cPointer: "no package or public signature has a pointer or type of a C library"
    case .fileLength: "a Swift file has at most \(Limits.fileLines) lines"
    case .functionLength: "a function has at most \(Limits.functionLines) lines"
    case .lineLength: "a line of Swift has at most \(Limits.lineCharacters) characters"
    case .word: "no word that marks unfinished work"
    case .name:
      "files and folders are named for their contents, not for their age or as a collection"
    case .vocabulary: "no word that Vocabulary.swift replaces with the usual term"
    case .machinePath: "no path that exists on one machine only"
    case .peerTrap: "code that reads bytes of a peer has no try!, as! or postfix !"
    case .peerConversion:
      "code that reads bytes of a peer converts integers with exactly:, clamping: or"
        + " truncatingIfNeeded:, or gives a proof after `// proved:`"
    case .unexplainedTrap: "try!, as! and fatalError have a comment with the reason"
    case .unexplainedUnsafe:
      "@unchecked Sendable, nonisolated(unsafe) and unsafe have a comment with the reason"
    case .lostSignal:
      "only \(TrapRules.signalFile) makes a Dispatch source for a signal; others use SignalHandler"
    case .httpText: "the gateway compares text of HTTP as bytes, by HTTPText"
    case .output:
      "programs write to standard output by StandardOutput, whose errors end them, and begin with"
        + " StandardStreams.prepare()"
    case .methodID: "a method id is 256 x service + 1 to 255, and unique"
    case .emptyTest: "each test has an expectation"
    case .disabledTest: "no test is disabled"
    case .timeLimit: "each suite has a time limit, so that a test that hangs fails"
    case .folderSize:
      "a folder of a module has at most \(Limits.folderFiles) Swift files; group them by feature"
    case .earlyReader:
      "no pipe of a shell script ends in a command that does not read all of its input"
    case .timedTest: "no test sleeps on a thread or asserts on a wall clock"
    }
  }
}

enum Limits {
  static let fileLines = 500
  static let functionLines = 70
  static let lineCharacters = 100
  static let folderFiles = 25
}
