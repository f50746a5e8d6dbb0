/// What a scenario file may hold, as JSON Schema (2020-12), of which ``SchemaCheck`` reads what is
/// used there: `scenario.schema.json`, which is built into the program.
enum ScenarioSchema {
  static let text = String(decoding: PackageResources.scenario_schema_json, as: UTF8.self)
}
