/// What a scenario file may hold, as JSON Schema (2020-12), of which ``SchemaCheck`` reads what is
/// used here. It ships beside the sources as `scenario.schema.json`.
enum ScenarioSchema {
  static let version = 1

  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A scenario of quiver-load, version 1",
      "type": "object",
      "additionalProperties": false,
      "required": ["version", "name", "roles", "stages"],
      "properties": {
        "$schema": {"type": "string"},
        "version": {"const": 1, "description": "this is version 1"},
        "name": {"$ref": "#/$defs/name"},
        "description": {"type": "string", "maxLength": 2000, "description": "at most 2000 \#
    characters"},
        "seed": {
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991,
          "description": "of everything at random; 1 where it is not given"
        },
        "warm_up": {"$ref": "#/$defs/duration"},
        "late_after": {"$ref": "#/$defs/duration"},
        "verify": {
          "type": "boolean",
          "description": "whether what was acknowledged is read back in the end"
        },
        "objectives": {
          "type": "string",
          "minLength": 1,
          "maxLength": 1000,
          "description": "held to by all calls together but streams and idle ones, like \#
    p99<5ms,errors<0.1%"
        },
        "event": {"$ref": "#/$defs/event"},
        "setup": {"$ref": "#/$defs/steps"},
        "teardown": {"$ref": "#/$defs/steps"},
        "roles": {
          "type": "array",
          "minItems": 1,
          "maxItems": 32,
          "items": {"$ref": "#/$defs/role"},
          "description": "1 to 32 roles"
        },
        "stages": {"$ref": "#/$defs/stages"}
      },
      "$defs": {
        "name": {
          "type": "string",
          "minLength": 1,
          "maxLength": 60,
          "description": "1 to 60 characters, shown in reports"
        },
        "method": {
          "type": "string",
          "minLength": 1,
          "maxLength": 200,
          "description": "a full name, or as much of its end as only one method has, as in \#
    Equipment/GetHub"
        },
        "body": {
          "type": "object",
          "description": "the request as proto3 JSON; a text may hold ${NAME} of a captured \#
    value, ${event_id}, ${event_code}, ${event_first_entry_id}, ${actor}, ${iteration}, \#
    ${counter}, ${counter:NAME}, ${random:LOW:HIGH}, ${pick:A|B}, ${run}, ${unique}, ${uuid}, \#
    ${now_ms} and ${today}"
        },
        "duration": {
          "type": "string",
          "format": "duration",
          "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$",
          "description": "a time like 500ms, 10s or 5m, at most a week"
        },
        "actors": {
          "type": "integer",
          "minimum": 1,
          "maximum": 20000,
          "description": "how many of them there are"
        },
        "connections": {
          "type": "integer",
          "minimum": 1,
          "maximum": 20000,
          "description": "connections that the actors share; a connection takes 100 calls at once"
        },
        "rate": {
          "type": "number",
          "minimum": 0.01,
          "maximum": 1000000,
          "description": "calls (of a sequence: passes) a second of the whole role, an open \#
    loop; without it a closed one"
        },
        "arrivals": {
          "enum": ["constant", "poisson"],
          "description": "when the calls of an open loop are sent"
        },
        "max_in_flight": {
          "type": "integer",
          "minimum": 1,
          "maximum": 100000,
          "description": "open calls of an open loop, after which those to come are counted as \#
    unsent; 1000 where it is not given"
        },
        "messages": {
          "type": "integer",
          "minimum": 1,
          "maximum": 1000000,
          "description": "how often the body is sent in a request stream; 1 where it is not given"
        },
        "read": {
          "type": "integer",
          "minimum": 1,
          "maximum": 1000000,
          "description": "messages of a reply stream that are read before it is given up; \#
    without it, all"
        },
        "stages": {
          "type": "array",
          "minItems": 1,
          "maxItems": 100,
          "description": "1 to 100 stages, one after the other",
          "items": {"$ref": "#/$defs/stage"}
        },
        "stage": {
          "type": "object",
          "additionalProperties": false,
          "required": ["shape", "duration"],
          "properties": {
            "name": {"$ref": "#/$defs/name"},
            "shape": {
              "enum": ["hold", "ramp", "step", "spike", "soak"],
              "description": "hold: the level at once; ramp: evenly from the level before to it; \#
    step: the same in steps; spike: at once, and afterwards the level before counts again; soak: \#
    as hold, with the memory of tester and server looked at"
            },
            "duration": {"$ref": "#/$defs/duration"},
            "share": {
              "type": "number",
              "minimum": 0,
              "maximum": 100,
              "description": "the level: of a role with a rate, of that rate; else of its actors"
            },
            "rate": {
              "type": "number",
              "minimum": 0,
              "maximum": 1000000,
              "description": "the level in calls a second; in the stages of a role with a rate \#
    only"
            },
            "steps": {
              "type": "integer",
              "minimum": 1,
              "maximum": 1000,
              "description": "of a step stage; 4 where it is not given"
            }
          }
        },
        "think": {
          "type": "object",
          "additionalProperties": false,
          "minProperties": 1,
          "maxProperties": 1,
          "description": "one of constant, uniform and exponential",
          "properties": {
            "constant": {"$ref": "#/$defs/duration"},
            "uniform": {
              "type": "array",
              "minItems": 2,
              "maxItems": 2,
              "items": {
                "type": "string",
                "format": "duration",
                "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$",
                "description": "a time like 500ms, 10s or 5m, at most a week"
              },
              "description": "two times, the shorter one first"
            },
            "exponential": {"$ref": "#/$defs/duration"}
          }
        },
        "method_call": {
          "type": "object",
          "additionalProperties": false,
          "required": ["method"],
          "properties": {
            "method": {"$ref": "#/$defs/method"},
            "body": {"$ref": "#/$defs/body"},
            "weight": {
              "type": "number",
              "minimum": 0.001,
              "maximum": 1000000,
              "description": "how often the method is taken among the others; 1 where it is not \#
    given"
            },
            "messages": {"$ref": "#/$defs/messages"},
            "read": {"$ref": "#/$defs/read"}
          }
        },
        "step": {
          "oneOf": [
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["call"],
              "properties": {
                "call": {"$ref": "#/$defs/method"},
                "body": {"$ref": "#/$defs/body"},
                "capture": {
                  "type": "object",
                  "additionalProperties": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "a path into the reply, as in items[0].id"
                  },
                  "description": "names and paths into the reply, as in {\"riser\": \"id\"}"
                },
                "repeat": {
                  "type": "integer",
                  "minimum": 1,
                  "maximum": 100000,
                  "description": "how often the call is made; 1 where it is not given"
                },
                "timeout": {"$ref": "#/$defs/duration"},
                "messages": {"$ref": "#/$defs/messages"},
                "read": {"$ref": "#/$defs/read"}
              }
            },
            {
              "type": "object",
              "additionalProperties": false,
              "required": ["think"],
              "properties": {"think": {"$ref": "#/$defs/think"}}
            }
          ],
          "description": "a step holds \"call\" or \"think\""
        },
        "steps": {
          "type": "array",
          "minItems": 0,
          "maxItems": 200,
          "items": {"$ref": "#/$defs/step"},
          "description": "at most 200 steps"
        },
        "event": {
          "type": "object",
          "additionalProperties": false,
          "required": ["entries"],
          "properties": {
            "name": {
              "type": "string",
              "minLength": 1,
              "maxLength": 200,
              "description": "1 to 200 characters"
            },
            "entries": {
              "type": "integer",
              "minimum": 1,
              "maximum": 20000,
              "description": "archers without an account that the organiser enters"
            },
            "format": {
              "type": "string",
              "minLength": 1,
              "maxLength": 64,
              "description": "the codename of a round, as in wa720_70"
            },
            "arrow_limit": {
              "type": "integer",
              "minimum": 1,
              "maximum": 1000,
              "description": "only the first so many arrows of the round"
            },
            "public": {
              "type": "boolean",
              "description": "whether all see the event; true where it is not given"
            },
            "finalise": {
              "type": "boolean",
              "description": "whether the event is finalised in the end; true where it is not \#
    given"
            }
          }
        },
        "role": {
          "oneOf": [
            {
              "type": "object",
              "description": "calls of several methods by their weights",
              "additionalProperties": false,
              "required": ["kind", "name", "methods"],
              "properties": {
                "kind": {"const": "mix"},
                "name": {"$ref": "#/$defs/name"},
                "actors": {"$ref": "#/$defs/actors"},
                "connections": {"$ref": "#/$defs/connections"},
                "stages": {"$ref": "#/$defs/stages"},
                "timeout": {"$ref": "#/$defs/duration"},
                "rate": {"$ref": "#/$defs/rate"},
                "arrivals": {"$ref": "#/$defs/arrivals"},
                "max_in_flight": {"$ref": "#/$defs/max_in_flight"},
                "think": {"$ref": "#/$defs/think"},
                "methods": {
                  "type": "array",
                  "minItems": 1,
                  "maxItems": 100,
                  "items": {"$ref": "#/$defs/method_call"},
                  "description": "1 to 100 methods with their weights"
                }
              }
            },
            {
              "type": "object",
              "description": "calls and pauses in their order, over and over",
              "additionalProperties": false,
              "required": ["kind", "name", "steps"],
              "properties": {
                "kind": {"const": "sequence"},
                "name": {"$ref": "#/$defs/name"},
                "actors": {"$ref": "#/$defs/actors"},
                "connections": {"$ref": "#/$defs/connections"},
                "stages": {"$ref": "#/$defs/stages"},
                "timeout": {"$ref": "#/$defs/duration"},
                "rate": {"$ref": "#/$defs/rate"},
                "arrivals": {"$ref": "#/$defs/arrivals"},
                "max_in_flight": {"$ref": "#/$defs/max_in_flight"},
                "think": {"$ref": "#/$defs/think"},
                "steps": {"$ref": "#/$defs/steps"}
              }
            },
            {
              "type": "object",
              "description": "each scores the ends of its share of the event's entries until all \#
    are shot",
              "additionalProperties": false,
              "required": ["kind", "name"],
              "properties": {
                "kind": {"const": "scorers"},
                "name": {"$ref": "#/$defs/name"},
                "actors": {"$ref": "#/$defs/actors"},
                "connections": {"$ref": "#/$defs/connections"},
                "stages": {"$ref": "#/$defs/stages"},
                "timeout": {"$ref": "#/$defs/duration"},
                "call": {
                  "enum": ["RecordEnd", "RecordArrow"],
                  "description": "how ends are scored, RecordEnd where it is not given"
                },
                "accounts": {
                  "type": "boolean",
                  "description": "whether each has an account, a token and entries of its own, \#
    and goes where the answers' next leads; wants an administrator's token; false where it is \#
    not given"
                },
                "think": {"$ref": "#/$defs/think"}
              }
            },
            {
              "type": "object",
              "description": "each keeps one reply stream open and reads it",
              "additionalProperties": false,
              "required": ["kind", "name", "method"],
              "properties": {
                "kind": {"const": "watchers"},
                "name": {"$ref": "#/$defs/name"},
                "actors": {"$ref": "#/$defs/actors"},
                "connections": {"$ref": "#/$defs/connections"},
                "stages": {"$ref": "#/$defs/stages"},
                "method": {"$ref": "#/$defs/method"},
                "body": {"$ref": "#/$defs/body"}
              }
            },
            {
              "type": "object",
              "description": "each keeps one reply stream open and reads a message now and then",
              "additionalProperties": false,
              "required": ["kind", "name", "method", "interval"],
              "properties": {
                "kind": {"const": "slow-readers"},
                "name": {"$ref": "#/$defs/name"},
                "actors": {"$ref": "#/$defs/actors"},
                "connections": {"$ref": "#/$defs/connections"},
                "stages": {"$ref": "#/$defs/stages"},
                "method": {"$ref": "#/$defs/method"},
                "body": {"$ref": "#/$defs/body"},
                "interval": {"$ref": "#/$defs/duration"}
              }
            },
            {
              "type": "object",
              "description": "each keeps a connection that only answers pings",
              "additionalProperties": false,
              "required": ["kind", "name"],
              "properties": {
                "kind": {"const": "idle"},
                "name": {"$ref": "#/$defs/name"},
                "actors": {"$ref": "#/$defs/actors"},
                "stages": {"$ref": "#/$defs/stages"}
              }
            },
            {
              "type": "object",
              "description": "a connection is made, called over once and closed, at a rate",
              "additionalProperties": false,
              "required": ["kind", "name", "rate"],
              "properties": {
                "kind": {"const": "reconnect-storm"},
                "name": {"$ref": "#/$defs/name"},
                "stages": {"$ref": "#/$defs/stages"},
                "timeout": {"$ref": "#/$defs/duration"},
                "rate": {
                  "type": "number",
                  "minimum": 0.01,
                  "maximum": 10000,
                  "description": "connections a second"
                },
                "arrivals": {"$ref": "#/$defs/arrivals"},
                "max_in_flight": {"$ref": "#/$defs/max_in_flight"},
                "method": {"$ref": "#/$defs/method"},
                "body": {"$ref": "#/$defs/body"}
              }
            },
            {
              "type": "object",
              "description": "peers over sockets of their own who do what they may not",
              "additionalProperties": false,
              "required": ["kind", "name", "acts"],
              "properties": {
                "kind": {"const": "misbehaving"},
                "name": {"$ref": "#/$defs/name"},
                "actors": {
                  "type": "integer",
                  "minimum": 1,
                  "maximum": 32,
                  "description": "how many of them there are"
                },
                "stages": {"$ref": "#/$defs/stages"},
                "acts": {
                  "type": "array",
                  "minItems": 1,
                  "maxItems": 5,
                  "items": {
                    "enum": [
                      "garbage",
                      "half-frame",
                      "oversize-prefix",
                      "reset-mid-frame",
                      "open-and-cancel"
                    ]
                  },
                  "description": "what they do, one after the other"
                },
                "think": {"$ref": "#/$defs/think"}
              }
            }
          ]
        }
      }
    }

    """#
}
