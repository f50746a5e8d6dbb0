/// The conditions of a session, each of them unknown unless it was stated.
public struct ShootingConditions: Sendable, Hashable {
  /// The name of the place; empty if it is unknown.
  public var place: String
  /// The weather.
  public var weather: WeatherKind?
  /// The wind.
  public var wind: WindStrength?
  /// The light.
  public var light: LightKind?

  /// Nothing is known.
  public static let unknown = ShootingConditions()

  /// Creates a value; each parameter is the property of its name.
  public init(
    place: String = "", weather: WeatherKind? = nil, wind: WindStrength? = nil,
    light: LightKind? = nil
  ) {
    self.place = place
    self.weather = weather
    self.wind = wind
    self.light = light
  }

  /// Which of them are known.
  public var stated: Set<StratumFeature> {
    var stated: Set<StratumFeature> = []
    if !place.isEmpty { stated.insert(.place) }
    if weather != nil { stated.insert(.weather) }
    if wind != nil { stated.insert(.wind) }
    if light != nil { stated.insert(.light) }
    return stated
  }

  /// The same with only those aspects, the others unknown.
  func keeping(_ aspects: Set<StratumFeature>) -> ShootingConditions {
    guard self != .unknown else { return self }
    return ShootingConditions(
      place: aspects.contains(.place) ? place : "",
      weather: aspects.contains(.weather) ? weather : nil,
      wind: aspects.contains(.wind) ? wind : nil, light: aspects.contains(.light) ? light : nil)
  }

  /// The same in the form that is stored, or the rule that it breaks; `path` is before the fields.
  public func validated(path: String) throws(RuleViolation) -> ShootingConditions {
    var conditions = self
    conditions.place = try TextLimits.checked(
      place, length: TextLimits.nameLength, path: path + "place")
    return conditions
  }

  /// In words, for example `rain, strong wind, at Lilleshall`; empty if nothing is known.
  var words: String {
    var words: [String] = []
    if let weather { words.append("\(weather)") }
    if let wind { words.append(wind == .calm ? "calm" : "\(wind) wind") }
    if let light { words.append("\(light) light") }
    if !place.isEmpty { words.append("at " + place) }
    return words.joined(separator: ", ")
  }
}

/// The weather of a session, numbered as in `quiver.v1.Weather`.
public enum WeatherKind: Int32, CaseIterable, Sendable, Hashable {
  /// Sun, or few clouds.
  case clear = 1
  /// Clouds, without rain.
  case cloudy = 2
  /// Rain.
  case rain = 3
  /// Snow or hail.
  case snow = 4
  /// Fog.
  case fog = 5
}

/// The wind of a session, numbered as in `quiver.v1.Wind`.
public enum WindStrength: Int32, CaseIterable, Sendable, Hashable {
  /// 0 and 1 Beaufort: below 1.6 m/s. Indoors always.
  case calm = 1
  /// 2 and 3 Beaufort: below 5.5 m/s.
  case light = 2
  /// 4 Beaufort: below 8 m/s.
  case moderate = 3
  /// 5 Beaufort and more.
  case strong = 4
}

/// The light of a session, numbered as in `quiver.v1.Light`.
public enum LightKind: Int32, CaseIterable, Sendable, Hashable {
  /// Full daylight.
  case bright = 1
  /// Daylight under clouds or trees.
  case dull = 2
  /// Dusk or dawn.
  case dim = 3
  /// Lamps.
  case artificial = 4
}
