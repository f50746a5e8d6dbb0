import Foundation
import QuiverAPI
import Testing

@testable import quiver_command

@Suite("quiver top", .timeLimit(.minutes(5)))
struct TopTests {
  private static func timing(_ buckets: [UInt64]) -> Timing {
    var timing = Timing()
    timing.buckets = buckets
    timing.count = buckets.reduce(0, +)
    return timing
  }

  private static func status(seconds: Int64, calls: UInt64, failed: UInt64 = 0) -> ServerStatus {
    var status = ServerStatus()
    status.startedAtMilliseconds = 1_000
    status.atMilliseconds = 1_000 + seconds * 1_000
    status.isServing = true
    status.software = "quiverd/1"
    status.committedCommands = calls
    status.cpuNanoseconds = seconds * 500_000_000
    status.bucketBoundsNanoseconds = [1_000_000, 2_000_000]
    var method = MethodStatus()
    method.method = "quiver.v1.Account/WhoAmI"
    method.handled = calls
    method.failed = failed
    method.time = timing([calls, 0, 0])
    status.methods = [method]
    return status
  }

  @Test("Rates are the differences of two statuses by the server's time")
  func rates() {
    let sample = TopSample(
      Self.status(seconds: 20, calls: 300, failed: 5),
      after: Self.status(seconds: 10, calls: 100))
    #expect(sample.seconds == 10 && sample.callsPerSecond == 20 && sample.errorsPerSecond == 0.5)
    #expect(sample.commandsPerSecond == 20 && sample.cpuShare == 0.5)
    #expect(sample.methods.map(\.method) == ["Account/WhoAmI"])
    #expect(sample.methods[0].p50Milliseconds == 0.5)
  }

  @Test("A server that was started again has no rates until its second status")
  func restarted() {
    var before = Self.status(seconds: 10, calls: 1_000)
    before.startedAtMilliseconds = 500
    let sample = TopSample(Self.status(seconds: 11, calls: 3), after: before)
    #expect(sample.seconds == 0 && sample.callsPerSecond == 0)
    #expect(sample.methods[0].handled == 3)
  }

  @Test("Percentiles are interpolated within a bucket and end at the last bound")
  func percentiles() {
    let status = Self.status(seconds: 1, calls: 0)
    let change = TimingChange(
      Self.timing([10, 20, 10]), after: Self.timing([10, 10, 0]), status)
    #expect(change.count == 20)
    #expect(change.milliseconds(of: 0.25) == 1.5)
    #expect(change.milliseconds(of: 0.99) == 2)
    #expect(TimingChange(nil, after: nil, status).milliseconds(of: 0.5) == 0)
  }

  @Test("The screen is as wide and as high as the terminal, and says what is wrong")
  func screen() {
    var status = Self.status(seconds: 20, calls: 300)
    status.isServing = false
    status.reason = "the disk is full"
    status.backupIntervalMilliseconds = 3_600_000
    status.newestBackupAtMilliseconds = status.atMilliseconds - 3 * 3_600_000
    let sample = TopSample(status, after: Self.status(seconds: 10, calls: 100))
    let lines = TopScreen(server: "127.0.0.1:1", sample: sample).lines(width: 72, height: 30)
    #expect(lines.allSatisfy { $0.count <= 72 })
    #expect(lines[0].contains("NOT SERVING: the disk is full"))
    #expect(lines.contains { $0.contains("LATE") })
    #expect(lines.contains { $0.hasPrefix("Account/WhoAmI") })
    #expect(TopScreen(server: "x", sample: sample).lines(width: 10, height: 3).count == 3)
  }

  @Test(
    "Sizes and times are short",
    arguments: [
      (TopScreen.bytes(0), "0 B"), (TopScreen.bytes(1_536), "1.5 KiB"),
      (TopScreen.bytes(536_870_912), "512 MiB"), (TopScreen.span(59), "59 s"),
      (TopScreen.span(7_260), "2 h 1 min"), (TopScreen.time(0), "-"),
      (TopScreen.time(1.234), "1.23 ms"), (TopScreen.rate(1_234.6), "1235"),
    ])
  func figures(text: String, expected: String) { #expect(text == expected) }

  @Test("A time that has passed is a span back, a day or an instant")
  func pastTimes() throws {
    let now = try #require(PastTime.milliseconds("2026-11-22T14:30:00Z"))
    #expect(now == 1_795_357_800_000)
    #expect(PastTime.milliseconds("2026-11-22") == now - now % 86_400_000)
    let start = Date(timeIntervalSince1970: 7_200)
    #expect(PastTime.milliseconds("1h", now: start) == 3_600_000)
    #expect(PastTime.milliseconds("yesterday") == nil)
  }
}
