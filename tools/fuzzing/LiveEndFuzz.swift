import QuiverLoopback
import QuiverRPC

/// A live end whose input and time follow a tape.
protocol LiveEndFuzz: AnyObject {
  associatedtype End: ConnectionEnd

  var tape: Tape { get set }
  var reactor: LoopbackReactor { get }
  var end: End { get }

  /// Receives the output of the end.
  func drainOutput()
}

extension LiveEndFuzz {
  func feed(_ bytes: [UInt8]) {
    let cut = [bytes.count, 1, 7][tape.number(below: 3)]
    var start = 0
    while start < bytes.count {
      let next = min(start + max(cut, 1), bytes.count)
      bytes[start..<next].withUnsafeBytes { end.receive($0, now: reactor.nowNanoseconds) }
      start = next
    }
  }

  func pass(milliseconds: UInt64) {
    let target = reactor.nowNanoseconds + milliseconds * 1_000_000
    var firings = 0
    while end.nextTimer != 0, end.nextTimer <= target {
      if end.nextTimer > reactor.nowNanoseconds {
        reactor.advance(byNanoseconds: end.nextTimer - reactor.nowNanoseconds)
      }
      end.timerFired(now: reactor.nowNanoseconds)
      drainOutput()
      firings += 1
      Fuzz.hold(firings < 2_000, "a timer fires without end")
    }
    if target > reactor.nowNanoseconds {
      reactor.advance(byNanoseconds: target - reactor.nowNanoseconds)
    }
  }
}
