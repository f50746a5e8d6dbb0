/// A shard's connections by number, with the time of each connection's timer beside them in one
/// array.
struct SocketTable {
  private var sockets: [Socket?] = []
  private var generations: [UInt32] = []
  private var due: [UInt64] = []
  private var free: [Int] = []
  /// At or before the earliest due time; `UInt64.max`: none.
  private(set) var earliestDue: UInt64 = .max

  /// Takes a socket in and answers its tag: generation and place.
  mutating func insert(_ socket: Socket) -> UInt64 {
    let place: Int
    if let last = free.popLast() {
      place = last
      sockets[place] = socket
    } else {
      place = sockets.count
      sockets.append(socket)
      generations.append(0)
      due.append(.max)
    }
    return UInt64(generations[place]) << 32 | UInt64(place)
  }

  /// The socket that a tag names; nil if it is closed.
  @inline(__always)
  func socket(tagged tag: UInt64) -> Socket? {
    let place = Int(tag & 0xFFFF_FFFF)
    guard place < sockets.count, UInt64(generations[place]) == tag >> 32 else { return nil }
    return sockets[place]
  }

  mutating func remove(_ socket: Socket) {
    let place = Int(socket.tag & 0xFFFF_FFFF)
    sockets[place] = nil
    generations[place] &+= 1
    due[place] = .max
    free.append(place)
  }

  @inline(__always)
  mutating func setDue(_ socket: Socket, _ time: UInt64) {
    let place = Int(socket.tag & 0xFFFF_FFFF)
    due[place] = time
    if time < earliestDue { earliestDue = time }
  }

  /// The sockets whose time has come. The caller sets their next times.
  mutating func takeDue(_ now: UInt64) -> [Socket] {
    var taken: [Socket] = []
    var next = UInt64.max
    for place in due.indices {
      if due[place] <= now {
        if let socket = sockets[place] { taken.append(socket) }
        due[place] = .max
      } else if due[place] < next {
        next = due[place]
      }
    }
    earliestDue = next
    return taken
  }

  var all: [Socket] { sockets.compactMap { $0 } }
  var count: Int { sockets.count - free.count }
}
