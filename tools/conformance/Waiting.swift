import Glibc

/// Monotonic milliseconds.
func now() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

/// Waits until a descriptor has one of the events; false after the time. A signal does not end it.
func waits(_ descriptor: Int32, for events: Int16, _ milliseconds: Int32) -> Bool {
  let limit = now() + Int(milliseconds)
  var watched = pollfd(fd: descriptor, events: events, revents: 0)
  while true {
    let count = poll(&watched, 1, Int32(max(0, limit - now())))
    guard count < 0, errno == EINTR else { return count > 0 }
  }
}

/// Reads once what a descriptor has; nil at its end. A signal does not end it.
func received(_ descriptor: Int32, most: Int) -> ArraySlice<UInt8>? {
  var room = [UInt8](repeating: 0, count: most)
  while true {
    let count = read(descriptor, &room, room.count)
    guard count < 0, errno == EINTR else { return count > 0 ? room[..<count] : nil }
  }
}
