import QuiverAPI
import QuiverRPC
import QuiverRules

extension SessionConditions {
  init(_ conditions: ShootingConditions) {
    self.init()
    place = conditions.place
    weather = Weather(rawValue: conditions.weather?.rawValue ?? 0)
    wind = Wind(rawValue: conditions.wind?.rawValue ?? 0)
    light = Light(rawValue: conditions.light?.rawValue ?? 0)
  }

  /// Throws INVALID_ARGUMENT for unknown numbers; the store validates the place.
  func content() throws -> ShootingConditions {
    ShootingConditions(
      place: place, weather: try Self.known(weather.rawValue, "weather"),
      wind: try Self.known(wind.rawValue, "wind"), light: try Self.known(light.rawValue, "light"))
  }

  private static func known<Value: RawRepresentable>(
    _ number: Int32, _ field: String
  ) throws -> Value? where Value.RawValue == Int32 {
    guard number != 0 else { return nil }
    guard let value = Value(rawValue: number) else {
      throw RPCError.invalid("conditions.\(field)", "must be one of the known values")
    }
    return value
  }
}
