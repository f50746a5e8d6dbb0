import Foundation
import Synchronization

/// What a run saw, in order: written down line by line as it happens, so that a kill loses nothing.
final class History: Sendable {
  /// One line.
  enum Event: Sendable, Equatable {
    /// A program began.
    case run
    /// An operation is about to be submitted.
    case begun(Int64)
    /// It was acknowledged, with this reply.
    case done(Int64, [UInt8])
    /// It was refused, and certainly or perhaps has no effect.
    case refused(Int64, isCertain: Bool)
    /// How many reads ended between one acknowledgement and the next, at most.
    case reads(Int)
  }

  private let lines = Mutex<[Event]>([])
  private let descriptor: Int32?

  /// Events go to memory, and to the descriptor where there is one.
  init(descriptor: Int32? = nil) { self.descriptor = descriptor }

  var events: [Event] { lines.withLock { $0 } }

  func append(_ event: Event) {
    lines.withLock { lines in
      lines.append(event)
      guard let descriptor else { return }
      let bytes = Array((Self.text(event) + "\n").utf8)
      _ = write(descriptor, bytes, bytes.count)
    }
  }

  /// The events of a file; a last line that was cut is left out.
  static func read(_ path: String) throws -> [Event] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let whole =
      text.hasSuffix("\n")
      ? text : String(text.prefix(through: text.lastIndex(of: "\n") ?? text.startIndex))
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
