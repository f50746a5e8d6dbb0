/// The JSON Schema (2020-12) of scenario files, of which ``SchemaCheck`` supports the keywords that
/// it uses: `scenario.schema.json`, which is built into the program.
enum ScenarioSchema {
  static let text = String(decoding: PackageResources.scenario_schema_json, as: UTF8.self)
}
