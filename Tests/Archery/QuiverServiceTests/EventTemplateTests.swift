import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import Testing

@Suite("Templates of events", .timeLimit(.minutes(5)))
struct EventTemplateTests {
  @Test("Each template has rounds of the library, different codes, and details of its places")
  func rounds() async throws {
    try await TestServer.run { server in
      let client = try server.client(named: "Secretary")
      let templates = try await client.call(Events.listEventTemplates, .init()).templates
      #expect(
        templates.map(\.key) == [
          "wa18", "wa25", "wa70", "wa50", "wa720", "wa1440", "portsmouth", "worcester", "bray",
          "frostbite", "york", "vegas",
        ])
      for template in templates {
        let codes = template.categories.map(\.code)
        #expect(!codes.isEmpty && Set(codes).count == codes.count, "\(template.key)")
        let letters = template.details.joined().map(String.init)
        #expect(
          letters == ["A", "B", "C", "D"].prefix(Int(template.archersPerTarget)).map { $0 },
          "\(template.key)")
        for category in template.categories {
          let round = try #require(RoundLibrary.format(category.format), "\(category.format)")
          #expect(category.arrowsPerEnd == UInt32(round.passes[0].arrowsPerEnd))
          let isCompound = category.bowstyle == .compound
          #expect(
            category.matchSystem == .unspecified
              || (category.matchSystem == .individualCumulative) == isCompound)
        }
      }
    }
  }

  @Test("An event of each template can be created, with its categories and its session")
  func creation() async throws {
    try await TestServer.run { server in
      let client = try server.client(named: "Secretary")
      for template in try await client.call(Events.listEventTemplates, .init()).templates {
        let first = try #require(template.categories.first)
        let event = try await client.call(
          Tournament.createTournament,
          .with { request in
            (request.name, request.tiePolicy) = (template.name, template.tiePolicy)
            request.format = .with { $0.codename = first.format }
          })
        for category in template.categories.dropFirst() {
          _ = try await client.call(
            Events.createEventCategory,
            .with { request in
              request.category = .with { made in
                (made.tournamentID, made.code, made.name) = (event.id, category.code, category.name)
                (made.bowstyle, made.gender) = (category.bowstyle, category.gender)
                made.ageGroup = category.ageGroup
              }
              request.format = .with { $0.codename = category.format }
            })
        }
        _ = try await client.call(
          Events.createEventSession,
          .with { request in
            request.session = .with { session in
              (session.tournamentID, session.name) = (event.id, "Morning")
              (session.firstTarget, session.lastTarget) = (1, 10)
              session.archersPerTarget = template.archersPerTarget
            }
          })
        let made = try await client.call(
          Events.listEventCategories, .with { $0.tournamentID = event.id }
        ).categories
        #expect(made.count == template.categories.count, "\(template.key)")
      }
    }
  }
}
