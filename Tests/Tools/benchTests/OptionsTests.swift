import Testing

@testable import bench

@Suite(.timeLimit(.minutes(5))) struct OptionsTests {
  @Test("Measures are selected by the start of their names")
  func reads() throws {
    let options = try Options(
      ["--only", "echo-16x", "--only", "idle", "--runs", "3", "--seconds", "0.5", "--json", "a"])
    #expect(options.runs == 3)
    #expect(options.seconds == 0.5)
    #expect(options.jsonPath == "a")
    #expect(options.wants("echo-16x16"))
    #expect(options.wants("idle"))
    #expect(!options.wants("codec-echo"))
    #expect(try Options([]).wants("codec-echo"))
  }

  @Test(
    "Arguments that are not valid are refused with their name",
    arguments: [["--runs", "0"], ["--seconds", "x"], ["--json"], ["--fast", "1"], ["echo"]])
  func refuses(arguments: [String]) throws {
    let error = #expect(throws: Options.Wrong.self) { try Options(arguments) }
    let name = try #require(arguments.first)
    #expect(error?.description.contains(name) == true)
  }
}
