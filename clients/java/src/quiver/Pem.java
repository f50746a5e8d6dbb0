package quiver;

import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Certificates and keys in PEM files. */
final class Pem {
  private static final String SEC1 = "EC PRIVATE KEY", PKCS8 = "PRIVATE KEY";
  /** OBJECT IDENTIFIER id-ecPublicKey. */
  private static final byte[] EC_PUBLIC_KEY = {6, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};

  private Pem() {}

  private static Certificate[] certificates(String file) throws IOException, GeneralSecurityException {
    try (InputStream input = new FileInputStream(file)) {
      Certificate[] found = CertificateFactory.getInstance("X.509").generateCertificates(input).toArray(new Certificate[0]);
      if (found.length == 0) throw new IOException(file + " has no certificate");
      return found;
    }
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  /** Trusts the authorities of a file; null: those of the Java platform. */
  static TrustManager[] trusting(String file) throws IOException, GeneralSecurityException {
    KeyStore roots = null;
    if (file != null) {
      roots = emptyStore();
      int number = 0;
      for (Certificate one : certificates(file)) roots.setCertificateEntry("root" + number++, one);
    }
    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(roots);
    return factory.getTrustManagers();
  }

  /** Shows a certificate; null without a file. */
  static KeyManager[] showing(String file, String keyFile) throws IOException, GeneralSecurityException {
    if (file == null) return null;
    KeyStore store = emptyStore();
    store.setKeyEntry("client", privateKey(keyFile != null ? keyFile : file), new char[0], certificates(file));
    KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, new char[0]);
    return factory.getKeyManagers();
  }

  private static PrivateKey privateKey(String file) throws IOException, GeneralSecurityException {
    String text = Files.readString(Path.of(file));
    byte[] encoded = block(text, PKCS8);
    if (encoded == null) {
      byte[] key = block(text, SEC1);
      if (key == null) throw new IOException(file + " has no private key in PKCS#8 or of an elliptic curve");
      encoded = wrap(key);
    }
    for (String algorithm : new String[] {"EC", "RSA", "EdDSA"}) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException other) {
        // The key is of another algorithm.
      }
    }
    throw new IOException(file + " has a private key of an unknown algorithm");
  }

  private static byte[] block(String text, String name) {
    int begin = text.indexOf("-----BEGIN " + name + "-----"), end = text.indexOf("-----END " + name + "-----");
    if (begin < 0 || end < begin) return null;
    return Base64.getMimeDecoder().decode(text.substring(begin + name.length() + 16, end));
  }

  /** The PKCS#8 form of an ECPrivateKey (RFC 5915), which names its curve as its parameters, [0]. */
  private static byte[] wrap(byte[] key) throws IOException {
    int at = key.length > 1 && (key[1] & 0x80) != 0 ? 3 : 2;
    // The version, then the key itself.
    at += 3;
    if (at + 2 > key.length || key[at] != 4) throw new IOException("an EC key that does not decode");
    at += 2 + key[at + 1];
    if (at + 4 > key.length || key[at] != (byte) 0xA0 || at + 2 + key[at + 1] > key.length) {
      throw new IOException("an EC key that does not name its curve");
    }
    byte[] curve = Arrays.copyOfRange(key, at + 2, at + 2 + key[at + 1]);
    return tagged(0x30, new byte[] {2, 1, 0}, tagged(0x30, EC_PUBLIC_KEY, curve), tagged(4, key));
  }

  private static byte[] tagged(int tag, byte[]... parts) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (byte[] part : parts) body.writeBytes(part);
    ByteArrayOutputStream made = new ByteArrayOutputStream();
    made.write(tag);
    if (body.size() >= 256) {
      made.write(0x82);
      made.write(body.size() >> 8);
    } else if (body.size() >= 128) {
      made.write(0x81);
    }
    made.write(body.size());
    made.writeBytes(body.toByteArray());
    return made.toByteArray();
  }
}
