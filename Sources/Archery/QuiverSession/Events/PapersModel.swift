public import Observation
public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// A paper or a file of an event, as a browser, a spreadsheet or a calendar opens it.
public struct EventPaper: Sendable, Equatable {
  /// What it is.
  public let kind: EventDocumentKind
  /// All its bytes: text in UTF-8.
  public let content: [UInt8]
  /// As in `text/html; charset=utf-8`.
  public let mediaType: String
  /// A name for the file, of ASCII letters, digits, hyphens and one point, at most 200 characters.
  public let fileName: String

  init(_ kind: EventDocumentKind, _ first: GetEventDocumentResponse, _ content: [UInt8]) {
    (self.kind, self.content, mediaType) = (kind, content, first.mediaType)
    fileName = Self.isFileName(first.fileName) ? first.fileName : "paper"
  }

  private static let longestFileName = 200

  /// Whether a name of the server's names a file in the folder that the user has chosen.
  private static func isFileName(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."): true
      default: false
      }
    }
    return isPlain && !name.isEmpty && name.utf8.count <= longestFileName
      && name.utf8.first != UInt8(ascii: ".")
      && name.utf8.count(where: { $0 == UInt8(ascii: ".") }) <= 1
  }
}

/// How far a paper has been fetched.
public enum PaperState: Sendable, Equatable {
  /// No paper was asked for, or the last one was cancelled.
  case idle
  /// So many bytes have arrived; how many there are is not known.
  case fetching(byteCount: Int)
  /// The paper is complete.
  case fetched(EventPaper)
  /// The paper could not be fetched.
  case failed(SessionError)

  /// The complete paper; nil in other states.
  public var paper: EventPaper? {
    if case .fetched(let paper) = self { paper } else { nil }
  }

  /// Why the paper could not be fetched; nil in other states.
  public var error: SessionError? {
    if case .failed(let error) = self { error } else { nil }
  }
}

/// The papers and files of an event: start lists, score cards, results, diplomas, and lists for
/// other programs.
///
/// A paper is fetched whole, with a connection, and is in memory alone: the app saves it. It has at
/// most ``SessionLimits/maxPaperBytes``.
@MainActor
@Observable
public final class PapersModel {
  /// The id that the server assigned to the event.
  public let event: Int64
  /// How far the paper that was asked for last has been fetched.
  public private(set) var state = PaperState.idle

  @ObservationIgnored private let session: OfflineSession
  /// The number of fetches and cancellations: only the last one is shown.
  @ObservationIgnored private var turn = 0

  /// Fetches nothing until it is asked to.
  public init(_ session: OfflineSession, event: Int64) {
    self.session = session
    self.event = event
  }

  /// Fetches a paper, instead of one that is being fetched.
  ///
  /// `fill` sets further fields of the request, for example a category, a session, the zone of
  /// times or the text of diplomas. Throws, with the error in ``state``, where the server refuses
  /// it, without a connection, and for a paper above the limit; throws CANCELLED, without changing
  /// the state, once another paper was asked for or ``cancel()`` was called.
  @discardableResult
  public func fetch(
    _ kind: EventDocumentKind, _ fill: (inout GetEventDocumentRequest) -> Void = { _ in }
  ) async throws(SessionError) -> EventPaper {
    var request = GetEventDocumentRequest()
    fill(&request)
    (request.tournamentID, request.kind, request.pageToken) = (event, kind, "")
    turn += 1
    let own = turn
    state = .fetching(byteCount: 0)
    do throws(SessionError) {
      let paper = try await whole(request, own)
      state = .fetched(paper)
      return paper
    } catch {
      let error = error.whileTrying(to: "fetch a paper")
      if own == turn { state = error.code == .call(.cancelled) ? .idle : .failed(error) }
      throw error
    }
  }

  /// Ends a fetch, and releases the paper that is here.
  public func cancel() {
    turn += 1
    state = .idle
  }

  /// Fetches all parts, while no other paper is asked for.
  private func whole(
    _ request: GetEventDocumentRequest, _ own: Int
  ) async throws(SessionError) -> EventPaper {
    let limit = session.configuration.limits.maxPaperBytes
    var request = request
    var first: GetEventDocumentResponse?
    var content: [UInt8] = []
    repeat {
      var part = try await session.call(Events.getEventDocument, request)
      guard own == turn else {
        throw SessionError(.call(.cancelled), "the paper is not wanted any more")
      }
      guard content.count + part.content.count <= limit else {
        throw SessionError(
          .full, "a paper has at most \(limit) bytes here; choose a category or a session")
      }
      guard part.nextPageToken.isEmpty || part.nextPageToken != request.pageToken else {
        throw SessionError(.call(.internal), "the server sends the same part again")
      }
      content += part.content
      part.content = []
      if first == nil { first = part }
      request.pageToken = part.nextPageToken
      state = .fetching(byteCount: content.count)
    } while !request.pageToken.isEmpty
    return EventPaper(request.kind, first ?? GetEventDocumentResponse(), content)
  }
}
