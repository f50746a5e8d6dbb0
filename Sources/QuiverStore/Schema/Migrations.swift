/// Every step of the schema, in order.
extension Migration {
  static let all: [Migration] = [
    Migration(number: 1, name: "kernel, principals, equipment", script: kernel + equipment)
  ]
}
