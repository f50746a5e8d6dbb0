import Foundation
import QuiverCommandLine
import Synchronization

/// The events of a run in order, written line by line, so that a kill loses none.
final class History: Sendable {
  /// One event.
  enum Event: Sendable, Equatable {
    /// A program started.
    case run
    /// An operation will be submitted.
    case begun(Int64)
    /// An operation was acknowledged with this reply.
    case done(Int64, [UInt8])
    /// An operation was refused, with or without certainty that it had no effect.
    case refused(Int64, isCertain: Bool)
    /// The largest number of reads between two acknowledgements.
    case reads(Int)
  }

  private let lines = Mutex<[Event]>([])
  private let isPrinted: Bool

  /// Stores events in memory, and also writes them to standard output if `isPrinted`.
  init(isPrinted: Bool = false) { self.isPrinted = isPrinted }

  var events: [Event] { lines.withLock { $0 } }

  func append(_ event: Event) {
    lines.withLock { lines in
      lines.append(event)
      if isPrinted { StandardOutput.printOrExit(Self.text(event)) }
    }
  }

  /// Reads the events of a file, without an incomplete last line.
  static func read(_ path: String) throws -> [Event] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let end = text.lastIndex(of: "\n") ?? text.startIndex
    let whole = text[..<end]
    return whole.split(separator: "\n").compactMap { event(of: $0) }
  }

  private static func text(_ event: Event) -> String {
    switch event {
    case .run: "run"
    case .begun(let number): "begun \(number)"
    case .done(let number, let reply):
      "done \(number) " + reply.map { String($0) }.joined(separator: ".")
    case .refused(let number, let isCertain): "refused \(number) \(isCertain ? "certain" : "open")"
    case .reads(let count): "reads \(count)"
    }
  }

  private static func event(of line: Substring) -> Event? {
    let words = line.split(separator: " ")
    guard let first = words.first else { return nil }
    if first == "run" { return .run }
    guard words.count > 1, let number = Int64(words[1]) else { return nil }
    switch first {
    case "begun": return .begun(number)
    case "done":
      return .done(
        number, words.count > 2 ? words[2].split(separator: ".").compactMap { UInt8($0) } : [])
    case "refused": return .refused(number, isCertain: words.last == "certain")
    case "reads": return .reads(Int(number))
    default: return nil
    }
  }
}
