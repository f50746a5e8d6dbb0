/// The types of PostgreSQL that parameters and columns have here, by their numbers in `pg_type`.
enum PostgresType {
  static let boolean: UInt32 = 16
  static let bytes: UInt32 = 17
  static let name: UInt32 = 19
  static let int64: UInt32 = 20
  static let int16: UInt32 = 21
  static let int32: UInt32 = 23
  static let text: UInt32 = 25
  static let float32: UInt32 = 700
  static let float64: UInt32 = 701
  static let unknown: UInt32 = 705
  static let character: UInt32 = 1042
  static let varchar: UInt32 = 1043
  static let numeric: UInt32 = 1700
  static let transactionID: UInt32 = 5069
  static let logPosition: UInt32 = 3220
}
