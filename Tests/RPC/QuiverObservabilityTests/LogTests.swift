import Foundation
import Testing

@testable import QuiverObservability

@Suite("The log", .timeLimit(.minutes(5)))
struct LogTests {
  private static let happened = LogEvent("it-happened", .warning)

  @Test(
    "Values are words or quoted, and nothing in them ends the line or adds a field",
    arguments: [
      ("plain", "plain"), ("", "\"\""), ("two words", "\"two words\""), ("a=b", "\"a=b\""),
      ("say \"x\"", "\"say \\\"x\\\"\""), ("one\ntwo", "\"one\\ntwo\""),
      ("\u{1B}[2J\r\u{7F}\u{9B}", "\"?[2J???\""), ("\u{2028}", "\"?\""), ("Zoë", "\"Zoë\""),
    ])
  func quoting(value: String, written: String) {
    #expect(LogLine.quoted(value) == written)
    let line = LogLine.bytes(Self.happened, [("key", value)], .logfmt)
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1 && line.last == UInt8(ascii: "\n"))
  }

  @Test("A line of JSON is one object that any parser reads", arguments: ["a\"b\\", "x\n\u{7}y"])
  func json(value: String) throws {
    let line = LogLine.bytes(Self.happened, [("key", value)], .json)
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line)) as? [String: String])
    #expect(object["event"] == "it-happened" && object["level"] == "warning")
    #expect(object["key"] == value.replacingOccurrences(of: "\u{7}", with: "?"))
    #expect(object["time"]?.hasSuffix("Z") == true)
  }

  @Test("Lines below the level are left out, and the level changes while the log is in use")
  func levels() throws {
    let pipe = Pipe()
    let log = Log(level: .warning, descriptor: pipe.fileHandleForWriting.fileDescriptor)
    log.write(LogEvent("one", .info))
    log.write(LogEvent("two", .warning), ["key": "value"])
    log.level = .info
    log.write(LogEvent("three", .info))
    log.level = .error
    log.write(LogEvent("four", .warning))
    log.flush()
    let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    let events = text.split(separator: "\n").map { $0.split(separator: " ").dropFirst(2).first }
    #expect(events == ["event=two", "event=three"])
    #expect(text.contains("event=two key=value\n"))
  }

  @Test("A pipe that nobody reads blocks no caller: lines are dropped, counted and reported")
  func fullPipe() throws {
    let pipe = Pipe()
    let log = Log(level: .info, descriptor: pipe.fileHandleForWriting.fileDescriptor)
    let wide = String(repeating: "x", count: 1_000)
    // The pipe takes 64 KiB and the buffer 256 KiB; each line has more than 1,000 bytes.
    for _ in 0..<2_000 { log.write(LogEvent("wide", .info), ["text": wide]) }
    let dropped = log.droppedLineCount
    #expect(dropped > 1_000 && dropped < 2_000)

    // Once somebody reads, the lines that were kept come, and the count of the others, in one line
    // or in several if the writer found room meanwhile.
    var text = ""
    func reported() -> Int {
      text.split(separator: "\n").reduce(0) { sum, line in
        guard line.contains("event=log-lines-dropped"), text.hasSuffix("\n") else { return sum }
        return sum + (line.split(separator: "count=").last.flatMap { Int($0) } ?? 0)
      }
    }
    while reported() < Int(dropped) {
      text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    }
    let kept = text.split(separator: "\n").count { $0.contains("event=wide") }
    #expect(kept + Int(dropped) == 2_000)
    #expect(reported() == Int(dropped))
  }

  @Test("Of similar events the first is logged, and each minute the count of the others")
  func repeated() {
    let events = RepeatedEvents()
    let kind = RepeatedEvents.Kind(Self.happened, ["address": "10.0.0.1"])
    let other = RepeatedEvents.Kind(Self.happened, ["address": "10.0.0.2"])
    #expect(events.isFirst(kind, atSeconds: 100))
    for _ in 0..<3 { #expect(!events.isFirst(kind, atSeconds: 110)) }
    #expect(events.isFirst(other, atSeconds: 120))
    #expect(events.takeCounts(atSeconds: 159).isEmpty)
    #expect(events.takeCounts(atSeconds: 160) == [.init(kind: kind, count: 3)])
    #expect(!events.isFirst(kind, atSeconds: 161), "its minute began again")
    #expect(events.takeCounts(atSeconds: 220) == [.init(kind: kind, count: 1)])
    #expect(events.takeCounts(atSeconds: 280).isEmpty)
    #expect(events.isFirst(kind, atSeconds: 281), "a minute without any has passed")
    #expect(events.isFirst(other, atSeconds: 281))
  }

  @Test("Kinds beyond the limit are counted together")
  func manyKinds() {
    let events = RepeatedEvents()
    var logged = 0
    for index in 0..<(RepeatedEvents.maxKinds + 50) {
      let kind = RepeatedEvents.Kind(Self.happened, ["address": "\(index)"])
      if events.isFirst(kind, atSeconds: 5) { logged += 1 }
    }
    #expect(logged == RepeatedEvents.maxKinds)
    #expect(events.takeCounts(atSeconds: 65).map(\.count) == [50])
  }
}
