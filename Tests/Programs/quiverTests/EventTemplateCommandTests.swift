import ChildProcesses
import TestSupport
import Testing

@Suite("Events of templates at a command line", .timeLimit(.minutes(5)))
struct EventTemplateCommandTests {
  @Test("An event of a template has its categories, or those that are named, and its places")
  func create() throws {
    let server = try RunningServer()
    let listed = try server.quiver("event", "templates")
    #expect(listed.code == 0 && listed.output.contains("portsmouth"))
    let made = try server.quiver(
      "event", "create", "Indoor", "--template", "wa18", "--targets", "1-15", "--categories",
      "RW,RM,CW,CM,BM")
    #expect(made.code == 0, "\(made.errors)")
    let categories = try server.quiver("event", "categories", "Indoor")
    for word in ["Recurve Women", "Compound Men", "Barebow Men", "wa18_compound"] {
      #expect(categories.output.contains(word), "\(categories.output)")
    }
    #expect(!categories.output.contains("Longbow"))
    let sessions = try server.quiver("event", "sessions", "Indoor", "--output", "json")
    #expect(sessions.output.contains("\"archersPerTarget\": 4"), "\(sessions.output)")
    let unknown = try server.quiver("event", "create", "X", "--template", "wa19")
    #expect(unknown.code == 64 && unknown.errors.contains("wa18, wa25"), "\(unknown.errors)")
    let other = try server.quiver(
      "event", "create", "X", "--template", "wa18", "--categories", "RM,XX")
    #expect(other.code == 64 && other.errors.contains("no category XX"), "\(other.errors)")
    let both = try server.quiver(
      "event", "create", "X", "--template", "wa18", "--round", "wa25")
    #expect(both.code == 64 && both.errors.contains("exclude each other"))
  }

  @Test("A paper is never written as HTML to a file that is called PDF")
  func pdf() throws {
    let server = try RunningServer()
    _ = try server.quiver("event", "create", "Cup", "--template", "vegas", "--targets", "1-4")
    let refused = try server.quiver("event", "paper", "Cup", "start-list", "list.PDF")
    #expect(refused.code == 64 && refused.errors.contains("list.html"), "\(refused.errors)")
    let paper = try server.quiver(
      "event", "paper", "Cup", "start-list", "-", "--language", "it")
    #expect(paper.code == 0 && paper.output.contains("Lista di partenza"), "\(paper.errors)")
    let cards = try server.quiver("event", "paper", "Cup", "score-cards", "-", "--cards", "3")
    #expect(cards.code != 0 && cards.errors.contains("1, 2 or 4"), "\(cards.errors)")
  }
}
