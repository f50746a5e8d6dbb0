import Dispatch
import Glibc
import QuiverWire
import Synchronization
import TestSupport
import Testing

@testable import QuiverDispatch

@Suite("A listener without descriptors", .serialized, .timeLimit(.minutes(5)))
struct ListenerTests {
  @Test(
    "Accepting pauses if descriptors or kernel memory run out, and after no other error",
    arguments: [
      (EMFILE, true), (ENFILE, true), (ENOBUFS, true), (ENOMEM, true), (EPERM, true),
      (EAGAIN, false), (EINVAL, false), (EBADF, false),
    ])
  func transient(_ code: Int32, _ pauses: Bool) {
    #expect(Listener.isTransient(SystemError(code)) == pauses)
  }

  @Test(
    "The listener reports an empty queue after it dropped the last connection or a batch",
    arguments: [0, 64])
  func catchesUp(_ waiting: Int) async throws {
    let events = Mutex<[Listener.AcceptEvent]>([])
    let accepted = Mutex<[Int32]>([])
    let queue = DispatchQueue(label: "quiver.test.accept")
    let endpoint = try #require(Endpoint("127.0.0.1:0"))
    let listener = try Listener(
      try #require(endpoint.resolve(passive: true).first), endpoint: endpoint, queue: queue,
      stateChanged: { event in events.withLock { $0.append(event) } },
      accepted: { descriptor, _ in accepted.withLock { $0.append(descriptor) } })
    var peers: [RawPeer] = []
    let files = try OpenFiles(leaving: 30)
    // A connection that gets a freed descriptor keeps it.
    while !events.withLock({ $0.contains(.dropped) }), peers.count < 10 {
      peers.append(try RawPeer(port: listener.address.port))
      let count = peers.count
      _ = await eventually {
        accepted.withLock { $0.count } + events.withLock { $0.count { $0 == .dropped } } == count
      }
    }
    let before = accepted.withLock { $0.count }
    // Connections that arrive now wait until the pause ends.
    queue.suspend()
    files.close()
    for _ in 0..<waiting { peers.append(try RawPeer(port: listener.address.port)) }
    queue.resume()
    #expect(await eventually { events.withLock { $0.last } == .resumed })
    #expect(events.withLock { $0 } == [.paused, .dropped, .resumed])
    #expect(await eventually { accepted.withLock { $0.count } == before + waiting })
    listener.stop()
    for descriptor in accepted.withLock({ $0 }) { close(descriptor) }
    for peer in peers { peer.close() }
  }
}

/// Opens files in this process and lowers its limit, so that few further ones can be opened.
private final class OpenFiles {
  private var descriptors: [Int32] = []
  private let limit: rlimit
  private let highest: Int32
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

  init(leaving count: rlim_t) throws {
    var limit = rlimit()
    try #require(getrlimit(Self.resource, &limit) == 0)
    self.limit = limit
    for _ in 0..<300 { descriptors.append(open("/dev/null", O_RDONLY | O_CLOEXEC)) }
    highest = try #require(descriptors.max())
    limit.rlim_cur = rlim_t(highest) + count + 1
    try #require(setrlimit(Self.resource, &limit) == 0)
    fill()
  }

  /// Takes the free descriptors below the highest, so that only those above it remain.
  func fill() {
    while true {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0, descriptor < highest else {
        if descriptor >= 0 { Glibc.close(descriptor) }
        return
      }
      descriptors.append(descriptor)
    }
  }

  func close() {
    var limit = limit
    setrlimit(Self.resource, &limit)
    for descriptor in descriptors { Glibc.close(descriptor) }
  }
}
