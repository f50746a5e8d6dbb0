import Glibc

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A `quiverd` of its own, in a temporary directory, that ends with the command.
final class ServerProcess {
  /// `127.0.0.1:PORT`.
  let address: String
  /// The token of its administrator.
  let token: String
  private let process: pid_t
  private let directory: String

  private static let startMilliseconds = 60_000

  /// Starts the program `quiverd` beside this one, and returns when it serves.
  static func start() throws -> ServerProcess {
    var template = Array(
      "\(FileManager.default.temporaryDirectory.path)/quiver-rehearsal-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw RehearsalError("no directory can be made: \(String(cString: strerror(errno)))")
    }
    let directory = String(cString: made)
    do {
      return try ServerProcess(directory)
    } catch {
      try? FileManager.default.removeItem(atPath: directory)
      throw error
    }
  }

  private init(_ directory: String) throws {
    self.directory = directory
    let program = try Self.program()
    let log = directory + "/log"
    let process = try Self.spawn(
      program, ["--init", "--data", directory + "/data", "--listen", "127.0.0.1:0"], log: log)
    self.process = process
    var found: String?
    for _ in 0..<Self.startMilliseconds / 10 where found == nil {
      let lines = Self.text(log).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if lines.contains(where: { $0.contains(" event=serving ") }) {
        let words = lines.first { $0.contains(" event=listening ") }?.split(separator: " ")
        found = words?.first { $0.hasPrefix("address=") }.map { String($0.dropFirst(8)) }
      }
      if found == nil, waitpid(process, nil, WNOHANG) != 0 {
        throw RehearsalError("quiverd ended at its start: \(Self.text(log))")
      }
      usleep(10_000)
    }
    guard let found else {
      Self.end(process)
      throw RehearsalError("quiverd does not serve: \(Self.text(log))")
    }
    address = found
    token = Self.text(directory + "/data/admin.token").filter { !$0.isWhitespace }
  }

  /// Ends the server and removes its files.
  func stop() {
    Self.end(process)
    try? FileManager.default.removeItem(atPath: directory)
  }

  private static func end(_ process: pid_t) {
    kill(process, SIGTERM)
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }

  private static func text(_ path: String) -> String {
    guard let data = FileManager.default.contents(atPath: path) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  private static func program() throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { throw RehearsalError("the folder of this program is not known") }
    let own = String(
      decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let program = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex) + "/quiverd"
    guard access(String(program), X_OK) == 0 else {
      throw RehearsalError("\(program) is missing; name a server with --server")
    }
    return String(program)
  }

  /// Starts a program whose standard error goes to a file.
  private static func spawn(
    _ program: String, _ arguments: [String], log: String
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var words = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, program, &actions, nil, words, environ)
    guard code == 0 else {
      throw RehearsalError("\(program) cannot be started: \(String(cString: strerror(code)))")
    }
    return process
  }
}
