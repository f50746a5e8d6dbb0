import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverSession

@MainActor
@Suite("Papers of an event on a device", .timeLimit(.minutes(5)))
struct PapersModelTests {
  private static func text(_ paper: EventPaper?) -> String {
    String(decoding: paper?.content ?? [], as: UTF8.self)
  }

  @Test("A paper of several parts is fetched whole, with the name and the type to save it")
  func whole() async throws {
    try await SessionServer.run { server in
      let organiser = try server.token()
      let event = try await server.tournament(organiser) { request in
        (request.joins, request.maxParticipants) = (false, 2_000)
      }
      let client = try server.client(organiser)
      let drafts = (1...2_000).map { number in
        EventEntryDraft.with { draft in
          (draft.name, draft.bib) = ("Archer \(number)", "\(number)")
          draft.club = String(repeating: "a very long name of a club ", count: 3)
          draft.licence = String(repeating: "9", count: 100)
          draft.country = String(repeating: "a country ", count: 9)
        }
      }
      for part in [drafts[..<1_000], drafts[1_000...]] {
        _ = try await client.call(
          Events.importEventEntries,
          .with { ($0.tournamentID, $0.entries) = (event.id, Array(part)) })
      }
      let transport = FaultyTransport(client)
      let session = try await server.session(organiser, transport: transport)
      let papers = PapersModel(session, event: event.id)
      #expect(papers.state == .idle)
      let gate = transport.hold("GetEventDocument")
      let fetching = Task { try await papers.fetch(.startList) }
      await gate.arrival()
      #expect(papers.state == .fetching(byteCount: 0))
      gate.open()
      let paper = try await fetching.value
      #expect(papers.state == .fetched(paper) && papers.state.paper == paper)
      #expect(paper.mediaType == "text/html; charset=utf-8" && paper.fileName.hasSuffix(".html"))
      let text = Self.text(paper)
      #expect([1, 999, 1_000, 2_000].allSatisfy { text.contains("Archer \($0)<") })
      #expect(text.contains("</html>"))

      let file = try await papers.fetch(.entriesCSV)
      #expect(file.mediaType == "text/csv; charset=utf-8" && file.fileName.hasSuffix(".csv"))
      #expect(Self.text(file).split(whereSeparator: \.isNewline).count == 2_001)
      #expect(papers.state.paper?.kind == .entriesCSV)
      var parts: [UInt8] = []
      var request = GetEventDocumentRequest()
      (request.tournamentID, request.kind) = (event.id, .startList)
      var count = 0
      repeat {
        let part = try await client.call(Events.getEventDocument, request)
        parts += part.content
        request.pageToken = part.nextPageToken
        count += 1
      } while !request.pageToken.isEmpty
      // Each part has the minute in which it was made.
      #expect(parts.count == paper.content.count && count > 1)
      await session.close()
    }
  }

  @Test("A paper above the limit, a refused one and one without a connection show why")
  func refusals() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9])
      let transport = try test.transport()
      let session = try await server.session(test.organiser, transport: transport) {
        $0.limits.maxPaperBytes = 2_000
      }
      let papers = PapersModel(session, event: test.event)
      #expect(await fails(saying: "at most 2000 bytes") { try await papers.fetch(.resultBook) })
      #expect(papers.state.error?.code == .full && papers.state.paper == nil)
      #expect(papers.state.error?.operation == "fetch a paper")
      let list = try await papers.fetch(.entriesCSV) { $0.categoryID = test.category }
      #expect(papers.state.paper == list && Self.text(list).contains("A2"))
      #expect(
        await fails(saying: "session_id") {
          try await papers.fetch(.standings) { $0.sessionID = 1 }
        })
      #expect(papers.state.error?.code == .call(.invalidArgument))
      transport.disconnect()
      #expect(await failure { try await papers.fetch(.entriesCSV) } != nil)
      #expect(papers.state.error?.code == .call(.unavailable))
      transport.reconnect()
      try await papers.fetch(.entriesCSV)
      #expect(papers.state.paper == list)
      let none = PapersModel(session, event: test.event + 1)
      #expect(await failure { try await none.fetch(.startList) } != nil)
      #expect(none.state.error?.code == .call(.notFound))
      await session.close()
    }
  }

  @Test("A later paper replaces one that is being fetched, and a cancelled one is not shown")
  func replaced() async throws {
    try await SessionServer.run { server in
      let test = try await ScoredEvent(server, [10, 9])
      let transport = try test.transport()
      let session = try await test.session(transport)
      let papers = PapersModel(session, event: test.event)
      var gate = transport.hold("GetEventDocument")
      let first = Task { await failure { try await papers.fetch(.startList) } }
      await gate.arrival()
      let second = try await papers.fetch(.standingsCSV)
      gate.open()
      #expect(await first.value?.contains("not wanted") == true)
      #expect(papers.state.paper == second)
      gate = transport.hold("GetEventDocument")
      let third = Task { await failure { try await papers.fetch(.startList) } }
      await gate.arrival()
      papers.cancel()
      gate.open()
      #expect(await third.value?.contains("not wanted") == true)
      #expect(papers.state == .idle)
      await session.close()
    }
  }

  @Test("A file name of the server's that leaves the folder is replaced")
  func fileNames() {
    for name in [
      "../a.html", ".html", "a/b", "a b", "", "a.b.html", String(repeating: "a", count: 201),
    ] {
      let part = GetEventDocumentResponse.with { $0.fileName = name }
      #expect(EventPaper(.startList, part, []).fileName == "paper", "\(name)")
    }
    let part = GetEventDocumentResponse.with { $0.fileName = "start-list-7.html" }
    #expect(EventPaper(.startList, part, []).fileName == "start-list-7.html")
  }
}
