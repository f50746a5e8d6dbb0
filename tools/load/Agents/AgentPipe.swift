import Glibc

/// Reads lines from a file descriptor. One thread uses it.
struct LineReader {
  private let descriptor: Int32
  private var kept: [UInt8] = []

  /// More than the longest message: a summary with three full histograms.
  private static let longestLine = 8 << 20

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The next line without its end; nil at the end of the input, and for a line that is too long.
  mutating func next() -> [UInt8]? {
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = kept.firstIndex(of: 0x0A) {
        defer { kept.removeSubrange(...end) }
        return Array(kept[..<end])
      }
      let count = read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0, kept.count <= Self.longestLine else { return nil }
      kept += part[..<count]
    }
  }
}

/// A process that is asked for load over its standard input and output.
final class AgentProcess: Sendable {
  /// For errors: `agent 2 (ssh host quiver-load agent)`.
  let name: String
  let input: Int32
  let output: Int32
  private let process: pid_t

  /// Starts `sh -c COMMAND`; its standard error is this process's.
  init(number: Int, command: String) throws(Failure) {
    name = "agent \(number) (\(command))"
    var (toAgent, fromAgent): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&toAgent) == 0, pipe(&fromAgent) == 0 else {
      throw Failure(.unreachable, "no pipe can be made: \(String(cString: strerror(errno)))")
    }
    // An agent that had the pipes of others would keep them open.
    for end in toAgent + fromAgent { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toAgent[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromAgent[1], STDOUT_FILENO)
    let words: [String] = ["sh", "-c", command]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var started = pid_t()
    let code = posix_spawn(&started, "/bin/sh", &actions, nil, &arguments, environ)
    close(toAgent[0])
    close(fromAgent[1])
    (input, output) = (toAgent[1], fromAgent[0])
    process = started
    guard code == 0 else {
      throw Failure(.unreachable, "\(name) cannot be started: \(String(cString: strerror(code)))")
    }
  }

  /// Sends a line; false if the agent has ended.
  func send(_ line: String) -> Bool {
    let bytes = Array(line.utf8)
    return write(input, bytes, bytes.count) == bytes.count
  }

  /// Ends the agent, which ends by itself when its input ends, and waits for it.
  func end() {
    close(input)
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    close(output)
  }
}
