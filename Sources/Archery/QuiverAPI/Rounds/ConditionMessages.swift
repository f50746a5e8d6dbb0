public import QuiverProtobuf

/// The conditions of a session, each unknown unless it is set.
public struct SessionConditions: Message {
  /// The name of the place, at most 200 characters; empty: not known.
  public var place = ""
  /// The weather.
  public var weather = Weather.unspecified
  /// The wind.
  public var wind = Wind.unspecified
  /// The light.
  public var light = Light.unspecified

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SessionConditions", .string(1, "place", \.place),
    .enum(2, "weather", \.weather), .enum(3, "wind", \.wind), .enum(4, "light", \.light))
}

/// Replaces the conditions of a practice session.
public struct SetSessionConditionsRequest: Message {
  /// The id of the session; 0 if ``clientID`` names it.
  public var id: Int64 = 0
  /// The client id of the session; empty if ``id`` names it.
  public var clientID: [UInt8] = []
  /// The new conditions; nil: nothing is known.
  public var conditions: SessionConditions?

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.SetSessionConditionsRequest", .int64(1, "id", \.id),
    .bytes(2, "client_id", \.clientID), .message(3, "conditions", \.conditions))
}

/// The weather of a session.
public struct Weather: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Sun, or few clouds.
  public static let clear = Self(rawValue: 1)
  /// Clouds, without rain.
  public static let cloudy = Self(rawValue: 2)
  /// Rain.
  public static let rain = Self(rawValue: 3)
  /// Snow or hail.
  public static let snow = Self(rawValue: 4)
  /// Fog.
  public static let fog = Self(rawValue: 5)

  public static let schema = EnumSchema(
    "quiver.v1.Weather",
    [
      (0, "WEATHER_UNSPECIFIED"), (1, "WEATHER_CLEAR"), (2, "WEATHER_CLOUDY"), (3, "WEATHER_RAIN"),
      (4, "WEATHER_SNOW"), (5, "WEATHER_FOG"),
    ])
}

/// The wind of a session.
public struct Wind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// 0 and 1 Beaufort: below 1.6 m/s. Indoors always.
  public static let calm = Self(rawValue: 1)
  /// 2 and 3 Beaufort: below 5.5 m/s.
  public static let light = Self(rawValue: 2)
  /// 4 Beaufort: below 8 m/s.
  public static let moderate = Self(rawValue: 3)
  /// 5 Beaufort and more.
  public static let strong = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.Wind",
    [
      (0, "WIND_UNSPECIFIED"), (1, "WIND_CALM"), (2, "WIND_LIGHT"), (3, "WIND_MODERATE"),
      (4, "WIND_STRONG"),
    ])
}

/// The light of a session.
public struct Light: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// Full daylight.
  public static let bright = Self(rawValue: 1)
  /// Daylight under clouds or trees.
  public static let dull = Self(rawValue: 2)
  /// Dusk or dawn.
  public static let dim = Self(rawValue: 3)
  /// Lamps.
  public static let artificial = Self(rawValue: 4)

  public static let schema = EnumSchema(
    "quiver.v1.Light",
    [
      (0, "LIGHT_UNSPECIFIED"), (1, "LIGHT_BRIGHT"), (2, "LIGHT_DULL"), (3, "LIGHT_DIM"),
      (4, "LIGHT_ARTIFICIAL"),
    ])
}

/// What may differ between the strata of a comparison.
public struct StratumAspect: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// The distance.
  public static let distance = Self(rawValue: 1)
  /// The face and its diameter.
  public static let face = Self(rawValue: 2)
  /// The place of the session.
  public static let place = Self(rawValue: 3)
  /// The weather of the session.
  public static let weather = Self(rawValue: 4)
  /// The wind of the session.
  public static let wind = Self(rawValue: 5)
  /// The light of the session.
  public static let light = Self(rawValue: 6)

  public static let schema = EnumSchema(
    "quiver.v1.StratumAspect",
    [
      (0, "STRATUM_ASPECT_UNSPECIFIED"), (1, "STRATUM_ASPECT_DISTANCE"), (2, "STRATUM_ASPECT_FACE"),
      (3, "STRATUM_ASPECT_PLACE"), (4, "STRATUM_ASPECT_WEATHER"), (5, "STRATUM_ASPECT_WIND"),
      (6, "STRATUM_ASPECT_LIGHT"),
    ])
}
