import Dispatch
import Glibc
import QuiverCommandLine
import QuiverDaemon
import QuiverObservability
import QuiverPapers
import Synchronization

/// The gateway that the server has started: a process of its own over a private Unix socket.
///
/// It is started again after it has ended, later each time while it does not serve. It ends when
/// the server does, however that ends. May be used from any thread.
final class WebGateway: Sendable {
  private enum Phase: Equatable {
    case starting, serving, stopped
    case failed(String)
  }

  private struct State {
    var phase = Phase.starting
    var process: pid_t = 0
    var starts: UInt64 = 0
    var isStopping = false
    var hasShownAddress = false
  }

  private let place: WebOptions.Place
  private let program: String
  private let arguments: [String]
  private let token: String
  private let wifi: WiFi?
  private let addressFile: String
  private let log: Log
  private let state = Mutex(State())
  private let ended = DispatchGroup()

  /// The first wait before a gateway is started again, and the longest.
  private static let firstWaitMilliseconds = 200
  private static let longestWaitMilliseconds = 10_000
  /// How long the gateway may drain, which it does in 30 s by default.
  private static let drainSeconds = 40
  private static let tokenBytes = 32
  /// The longest path of a Unix socket, with its final zero.
  private static let longestSocketPath = 107
  /// The bytes of an address that is read from the file of the start before.
  private static let longestAddress = 2_048

  /// A token that only this process and its gateway know.
  static func makeToken() -> String {
    var random = SystemRandomNumberGenerator()
    return "qg_"
      + (0..<tokenBytes).map { _ in
        let digits = String(UInt8.random(in: .min ... .max, using: &random), radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
  }

  /// Where the server listens for its gateway. Throws where the path is too long for a socket.
  static func socketPath(_ dataDirectory: String) throws(Failure) -> String {
    let path = dataDirectory + "/web.socket"
    guard path.utf8.count <= longestSocketPath else {
      throw Failure(
        .usage, "--web: the path of the data directory, \(dataDirectory), is too long for a socket")
    }
    return path
  }

  /// - Parameter program: that of the gateway.
  init(
    _ place: WebOptions.Place, _ configuration: Configuration, _ wifi: WiFi?, program: String,
    socket: String, token: String, _ log: Log
  ) {
    self.place = place
    self.program = program
    self.token = token
    self.wifi = wifi
    addressFile = configuration.dataDirectory + "/web.address"
    self.log = log
    var arguments = [
      "--server", "unix:\(socket)", "--log-level", configuration.logLevel.rawValue, "--log-format",
      configuration.logFormat.rawValue, "--parent", "\(Self.childDescriptor)",
    ]
    let own = "\(place.host):\(place.port)"
    let options = configuration.web
    if let certificate = options.certificateFile, let key = options.keyFile {
      arguments += [
        "--listen", "tls://\(own)", "--tls-certificate", certificate, "--tls-key", key,
      ]
    } else if place.isLoopback {
      arguments += ["--listen", own]
    } else {
      arguments += ["--open-listen", own, "--listen", "127.0.0.1:\(place.port)"]
      if options.takesOfficials { arguments.append("--open-officials") }
    }
    if let host = options.publicHost { arguments += ["--allow-host", host] }
    if options.publicAddress != nil || !place.isLoopback {
      arguments += ["--public-url", place.publicAddress]
    }
    self.arguments = arguments
  }

  /// The gateway beside this program. Throws where there is none.
  static func program() throws(Failure) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(
      decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let program = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex) + "/quiver-gateway"
    guard access(String(program), X_OK) == 0 else {
      throw Failure(.usage, "--web: \(program) is missing; it belongs beside quiverd")
    }
    return String(program)
  }

  /// Starts the gateway, on a thread that stays with it.
  func start() {
    ended.enter()
    Thread.detach { [self] in
      supervise()
      ended.leave()
    }
  }

  /// Why the pages are not served now; nil: they are.
  var fault: String? {
    switch state.withLock({ $0.phase }) {
    case .serving: nil
    case .starting: "the gateway of --web has not started yet"
    case .stopped: "the gateway of --web has stopped"
    case .failed(let reason): "the gateway of --web \(reason)"
    }
  }

  /// How often it was started again.
  var restartCount: UInt64 { state.withLock { $0.starts == 0 ? 0 : $0.starts - 1 } }

  /// Lets the gateway drain, and waits for its end.
  func stop() async {
    let process = state.withLock { state in
      state.isStopping = true
      return state.process
    }
    if process > 0 { kill(process, SIGTERM) }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [self] in
        if ended.wait(timeout: .now() + .seconds(Self.drainSeconds)) == .timedOut {
          let process = state.withLock { $0.process }
          if process > 0 { kill(process, SIGKILL) }
          ended.wait()
        }
        continuation.resume()
      }
    }
  }

  // MARK: Supervising

  private func supervise() {
    var wait = Self.firstWaitMilliseconds
    while true {
      let reason: String
      switch run() {
      case .served: (reason, wait) = ("has ended", Self.firstWaitMilliseconds)
      case .failed(let why): reason = why
      case .stopped:
        return state.withLock { $0.phase = .stopped }
      }
      log.write(.webEnded, ["reason": reason, "again-in-ms": "\(wait)"])
      state.withLock { $0.phase = .failed(reason) }
      for _ in 0..<(wait / Self.firstWaitMilliseconds) {
        usleep(UInt32(Self.firstWaitMilliseconds) * 1_000)
        if state.withLock({ $0.isStopping }) { return state.withLock { $0.phase = .stopped } }
      }
      wait = min(wait * 2, Self.longestWaitMilliseconds)
    }
  }

  private enum Run {
    /// It served and has ended.
    case served
    case failed(String)
    case stopped
  }

  /// Runs the gateway until it has ended.
  private func run() -> Run {
    var ends: [Int32] = [-1, -1]
    guard
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { return .failed("cannot be started: \(String(cString: strerror(errno)))") }
    defer { close(ends[0]) }
    let started = state.withLock { state -> Int32? in
      guard !state.isStopping else { return nil }
      let code = GatewayProcess.spawn(program, arguments, ends[1], &state.process)
      if code == 0 { state.starts += 1 }
      return code
    }
    close(ends[1])
    guard let started else { return .stopped }
    guard started == 0 else {
      return .failed("cannot be started: \(String(cString: strerror(started)))")
    }
    let line = Array((token + "\n").utf8)
    _ = send(ends[0], line, line.count, Int32(MSG_NOSIGNAL))
    let hasServed = readUntilEnd(ends[0])
    return finish(hasServed: hasServed)
  }

  /// Reads what the gateway says until its end of the socket is closed; whether it has served.
  private func readUntilEnd(_ descriptor: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64)
    var hasServed = false
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        if !hasServed { serves() }
        hasServed = true
      } else if count == 0 || errno != EINTR {
        return hasServed
      }
    }
  }

  private func finish(hasServed: Bool) -> Run {
    let process = state.withLock { $0.process }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let isStopping = state.withLock { state in
      state.process = 0
      return state.isStopping
    }
    if isStopping { return .stopped }
    if hasServed { return .served }
    let code = status >> 8 & 0xff
    return .failed(code == 0 ? "was ended" : "ended with code \(code); its log says why")
  }

  private func serves() {
    let isFirst = state.withLock { state in
      state.phase = .serving
      defer { state.hasShownAddress = true }
      return !state.hasShownAddress
    }
    let (before, isKept) = isFirst ? rememberAddress() : (nil, true)
    var fields = [(key: "address", value: place.publicAddress)]
    if let before { fields.append((key: "before", value: before)) }
    if !isKept { fields.append((key: "kept", value: "no")) }
    log.write(Event.webServing.logged, fields: fields)
    if isFirst { WebSign(place.publicAddress, before: before, wifi).show() }
  }

  /// The address of the start before, where it was another one; keeps this one if it can.
  private func rememberAddress() -> (before: String?, isKept: Bool) {
    let before = TextFile.read(addressFile, atMost: Self.longestAddress, followsLinks: false)
    guard before != place.publicAddress else { return (nil, true) }
    let isKept = TextFile.write(place.publicAddress, to: addressFile)
    return (before.flatMap { PublicAddress.isValid($0) ? $0 : nil }, isKept)
  }

  /// The number of the child's end of the socket.
  private static let childDescriptor: Int32 = 3
}

/// What people in front of the terminal need: the address and the network, with their QR codes.
struct WebSign {
  let address: String
  /// Of the start before, if it was another one.
  let before: String?
  let wifi: WiFi?

  init(_ address: String, before: String? = nil, _ wifi: WiFi? = nil) {
    (self.address, self.before, self.wifi) = (address, before, wifi)
  }

  var text: String {
    var text = ""
    if let wifi, let code = QRCode(wifi.text) {
      text += "\n\(code.text)\n\nThis code joins the Wi-Fi \(wifi.name).\n"
    }
    if let code = QRCode(address + "/") { text += "\n\(code.text)\n" }
    text += """

      The pages for phones are at \(address)
      Phones in the same network scan the code above, or that of their target.

      """
    if let before {
      text += """

        The address was \(before) before. Plates, cards and boards that were printed or opened there
        lead to it, and arrows that wait on a phone wait under it: print them again, or start with
        --public-url and one name that stays.

        """
    }
    return text
  }

  /// Written where a person reads it: a service manager keeps the log alone.
  func show() {
    guard isatty(STDOUT_FILENO) == 1 else { return }
    StandardOutput.printOrExit(text)
  }
}

/// Starting the program of the gateway.
private enum GatewayProcess {
  /// Starts it in a process group of its own, so that a key of the terminal ends the server alone,
  /// which then drains its gateway; answers 0 or the number of the error.
  static func spawn(
    _ program: String, _ arguments: [String], _ socket: Int32, _ process: inout pid_t
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, socket, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
    var words = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    // Neither the settings of another gateway nor the sockets of the service manager are its own.
    var variables = [strdup("PATH=/usr/bin:/bin"), nil]
    defer { for variable in variables { free(variable) } }
    return posix_spawn(&process, program, &actions, &attributes, words, &variables)
  }
}

private enum Thread {
  static func detach(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "quiverd.web").async(execute: body)
  }
}
