import Testing

@testable import embed_pages

@Suite("One script of a module and what it imports", .timeLimit(.minutes(1)))
struct ModuleBundleTests {
  @Test("A module is a block after those that it imports, each of which is there once")
  func order() throws {
    let text = try ModuleBundle.text(
      of: "score/a.js",
      in: [
        "score/a.js": """
        import { places, far as distance } from "../client/b.js";
        import * as faces from "./c.js";
        import "./d.js";

        // A comment is not sent.
        const own = places + faces.size;
        """,
        "client/b.js": """
        export const places = 4;
        export async function far() {
          return places;
        }
        """,
        "score/c.js": """
        export { places } from "../client/b.js";
        export {
          far as size,
        } from "../client/b.js";
        export * as all from "./d.js";
        """,
        "score/d.js": "export class Row {\n}\nexport {};\n",
        "score/e.js": "never imported",
      ])
    #expect(
      text == """
        let $module0, $module1, $module2, $module3;
        {
        const places = 4;
        async function far() {
        return places;
        }
        $module0 = { places, far };
        }
        {
        class Row {
        }
        $module1 = { Row };
        }
        {
        $module2 = { places: $module0.places, size: $module0.far, all: $module1 };
        }
        {
        const { places, far: distance } = $module0;
        const faces = $module2;
        const own = places + faces.size;
        $module3 = {  };
        }

        """)
  }

  @Test(
    "What would not mean the same in one script is an error that names the module",
    arguments: [
      "export default class Row {\n}", "export let count = 0;", "export var count = 0;",
      "export * from \"./b.js\";", "export const { one } = two;", "export { own };",
      "import thing from \"./b.js\";", "import thing, { other } from \"./b.js\";",
      "import { b } from \"elsewhere\";", "import { b } from \"./missing.js\";",
      "import { b } from \"./a.js\";", "import {\n  b", "import { b as } from \"./b.js\";",
    ])
  func refused(statement: String) {
    let failure = #expect(throws: ModuleBundle.Failure.self) {
      try ModuleBundle.text(of: "score/a.js", in: ["score/a.js": statement, "score/b.js": ""])
    }
    #expect(failure?.description.contains("score/a.js") == true)
  }

  @Test("The module of a page is sent as one script, and of the others those of the client")
  func sent() throws {
    let sent = try PageScripts.sent([
      "score/index.html": "<script type=\"module\" src=\"/score/score.js\"></script>",
      "score/score.js": "import { b } from \"./b.js\";\nimport { c } from \"../client/c.js\";\n",
      "score/b.js": "export const b = 1;\n", "client/c.js": "  export const c = 2; \n// no\n",
      "score/worker.js": "  start();\n", "score/score.css": "  p {}\n",
    ])
    #expect(
      sent.keys.sorted() == [
        "client/c.js", "score/index.html", "score/score.css", "score/score.js", "score/worker.js",
      ])
    #expect(sent["score/score.css"] == "  p {}\n")
    #expect(sent["score/worker.js"] == "start();\n")
    #expect(sent["score/score.js"]?.contains("import") == false)
  }
}
