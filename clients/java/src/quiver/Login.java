package quiver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The server and the token of a client: those of its options, else of the environment, else of a context.
 *
 * <p>The contexts are those of {@code quiver login}; clients/logins/cases.txt has the rule as cases.
 */
record Login(
    String server, String tokenFile, String authorities, String serverName, String certificate, String privateKey) {
  private static final String DEFAULT_SERVER = "127.0.0.1:7450";
  /** No file of contexts is larger. */
  static final int LARGEST_FILE = 1 << 20;

  /**
   * What the options do not name is that of the environment, else of the context.
   *
   * <p>A context that an option names comes before the environment. Its token goes to its own server only. The
   * file is not read where the options name a server and a token, and no context.
   */
  static Login find(ClientOptions options, UnaryOperator<String> variables) {
    UnaryOperator<String> environment = name -> {
      String value = variables.apply(name);
      return value == null || value.isEmpty() ? null : value;
    };
    boolean isChosen = options.context() != null;
    boolean hasToken = options.token() != null || options.tokenFile() != null;
    String given = options.server();
    String name = isChosen ? options.context() : environment.apply("QUIVER_CONTEXT");
    Map<String, String> stored = null;
    if (isChosen || given == null || !hasToken) {
      Contexts contexts = read(environment);
      if (name != null && !contexts.named.containsKey(name)) {
        throw new IllegalArgumentException("there is no context " + name + "; quiver contexts lists them");
      }
      if (name == null) name = contexts.current;
      stored = name == null ? null : contexts.named.get(name);
    }
    String context = stored == null ? null : stored.get("server");
    String server = given != null ? given : isChosen ? context : environment.apply("QUIVER_SERVER");
    if (server == null) server = Objects.requireNonNullElse(context, DEFAULT_SERVER);
    if (stored != null && !server.equals(context)) {
      if (isChosen) {
        throw new IllegalArgumentException("context " + name + " is for " + context + ", and not for " + server);
      }
      stored = null;
    }
    if (stored == null) stored = Map.of();
    String tokenFile = isChosen ? null : environment.apply("QUIVER_TOKEN_FILE");
    String authorities = isChosen ? null : environment.apply("QUIVER_CA");
    if (tokenFile == null) tokenFile = stored.get("tokenFile");
    if (authorities == null) authorities = stored.get("authorities");
    return new Login(
        server, hasToken ? options.tokenFile() : tokenFile,
        options.trustedRoots() != null ? options.trustedRoots() : authorities,
        options.serverName() != null ? options.serverName() : stored.get("serverName"),
        options.certificate() != null ? options.certificate() : stored.get("certificate"),
        options.certificate() != null ? options.privateKey() : stored.get("key"));
  }

  /** All contexts by their names, and the name of the current one. */
  private record Contexts(String current, Map<String, Map<String, String>> named) {}

  private static Contexts read(UnaryOperator<String> environment) {
    Contexts none = new Contexts(null, Map.of());
    String folder = environment.apply("XDG_CONFIG_HOME"), home = environment.apply("HOME");
    if (folder == null && home == null) return none;
    Path path = folder != null ? Path.of(folder, "quiver", "contexts.json")
        : Path.of(home, ".config", "quiver", "contexts.json");
    byte[] bytes;
    try (InputStream file = Files.newInputStream(path)) {
      bytes = file.readNBytes(LARGEST_FILE + 1);
    } catch (NoSuchFileException absent) {
      return none;
    } catch (IOException error) {
      throw new IllegalArgumentException("cannot read " + path + ": " + error.getMessage(), error);
    }
    try {
      if (bytes.length > LARGEST_FILE) throw new BadContexts();
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return contexts(new Json(text).whole());
    } catch (BadContexts | CharacterCodingException error) {
      throw new IllegalArgumentException(
          path + " does not contain contexts; correct it, or remove it and log in again", error);
    }
  }

  /** The file does not have the form of contexts. */
  private static final class BadContexts extends Exception {
    private static final long serialVersionUID = 1;
  }

  private static Contexts contexts(Object value) throws BadContexts {
    Map<?, ?> contents = object(value);
    Map<String, Map<String, String>> named = new HashMap<>();
    for (Map.Entry<?, ?> entry : object(contents.get("named")).entrySet()) {
      Map<?, ?> fields = object(entry.getValue());
      Map<String, String> context = new HashMap<>();
      for (String key : new String[] {"server", "tokenFile", "authorities", "certificate", "key", "serverName"}) {
        Object field = fields.get(key);
        if (field == null && !key.equals("server") && !key.equals("tokenFile")) continue;
        if (!(field instanceof String text)) throw new BadContexts();
        context.put(key, text);
      }
      named.put((String) entry.getKey(), context);
    }
    Object current = contents.get("current");
    if (current != null && !(current instanceof String)) throw new BadContexts();
    return new Contexts((String) current, named);
  }

  private static Map<?, ?> object(Object value) throws BadContexts {
    if (value instanceof Map<?, ?> map) return map;
    throw new BadContexts();
  }

  /** Reads JSON (RFC 8259): objects become maps and texts strings; of other values only the form is checked. */
  private static final class Json {
    private static final int MOST_DEPTH = 64;
    /** What stands for numbers, lists, true and false. */
    private static final Object OTHER = new Object();
    private final String text;
    private int place;

    Json(String text) {
      this.text = text;
    }

    Object whole() throws BadContexts {
      Object value = value(0);
      if (next() != 0) throw new BadContexts();
      return value;
    }

    /** The next character that is no blank, which is not taken; 0: the end. */
    private char next() {
      while (place < text.length() && " \t\r\n".indexOf(text.charAt(place)) >= 0) place++;
      return place < text.length() ? text.charAt(place) : 0;
    }

    private boolean takes(char wanted) {
      if (next() != wanted) return false;
      place++;
      return true;
    }

    private void need(boolean isSo) throws BadContexts {
      if (!isSo) throw new BadContexts();
    }

    private Object value(int depth) throws BadContexts {
      need(depth < MOST_DEPTH);
      switch (next()) {
        case '"':
          return string();
        case '{':
          return members(depth);
        case '[':
          place++;
          if (takes(']')) return OTHER;
          do {
            value(depth + 1);
          } while (takes(','));
          need(takes(']'));
          return OTHER;
        default:
          int start = place;
          while (place < text.length() && ",]} \t\r\n".indexOf(text.charAt(place)) < 0) place++;
          String word = text.substring(start, place);
          if (word.equals("null")) return null;
          need(word.equals("true") || word.equals("false")
              || word.matches("-?(0|[1-9][0-9]{0,99})(\\.[0-9]{1,99})?([eE][+-]?[0-9]{1,9})?"));
          return OTHER;
      }
    }

    private Map<String, Object> members(int depth) throws BadContexts {
      Map<String, Object> members = new HashMap<>();
      place++;
      if (takes('}')) return members;
      do {
        need(next() == '"');
        String key = string();
        need(takes(':'));
        members.put(key, value(depth + 1));
      } while (takes(','));
      need(takes('}'));
      return members;
    }

    private String string() throws BadContexts {
      StringBuilder made = new StringBuilder();
      place++;
      while (true) {
        need(place < text.length());
        char one = text.charAt(place++);
        if (one == '"') return made.toString();
        need(one >= ' ');
        if (one != '\\') {
          made.append(one);
          continue;
        }
        need(place < text.length());
        char escape = text.charAt(place++);
        int plain = "\"\\/bfnrt".indexOf(escape);
        if (plain >= 0) {
          made.append("\"\\/\b\f\n\r\t".charAt(plain));
          continue;
        }
        need(escape == 'u' && place + 4 <= text.length());
        String digits = text.substring(place, place + 4);
        need(digits.matches("[0-9A-Fa-f]{4}"));
        made.append((char) Integer.parseInt(digits, 16));
        place += 4;
      }
    }
  }
}
