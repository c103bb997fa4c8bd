// What java.net.URI and java.net.URL see in texts: java Readers.java < TEXTS. A text a line, as hexadecimal octets; a line
// for each reader of it: the fields with tabs between them, each as "-" or "=" and hexadecimal octets, or "!".
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;

public class Readers {
    static String port(int port) { return port == -1 ? null : "" + port; }

    static String[] uri(String text) throws Exception {
        URI u = new URI(text);
        String path = u.isOpaque() ? u.getRawSchemeSpecificPart() : u.getRawPath();
        return new String[] {u.getScheme(), u.getRawUserInfo(), u.getHost(), port(u.getPort()), path, u.getRawQuery(), u.getRawFragment()};
    }

    static String[] url(String text) throws Exception {
        URL u = new URL(text);
        return new String[] {u.getProtocol(), u.getUserInfo(), u.getHost(), port(u.getPort()), u.getPath(), u.getQuery(), u.getRef()};
    }

    static void print(PrintStream out, String[] fields) {
        StringBuilder line = new StringBuilder();
        for (String field : fields) {
            line.append(line.length() == 0 ? "" : "\t").append(field == null ? "-" : "=");
            if (field != null)
                for (byte octet : field.getBytes(StandardCharsets.UTF_8)) line.append(Character.forDigit(octet >> 4 & 15, 16)).append(Character.forDigit(octet & 15, 16));
        }
        out.println(line);
    }

    public static void main(String[] given) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
        for (String line; (line = in.readLine()) != null;) {
            byte[] octets = new byte[line.length() / 2];
            for (int k = 0; k < octets.length; k++) octets[k] = (byte) Integer.parseInt(line.substring(2 * k, 2 * k + 2), 16);
            String text = new String(octets, StandardCharsets.UTF_8);
            try { print(out, uri(text)); } catch (Exception error) { out.println("!"); }
            try { print(out, url(text)); } catch (Exception error) { out.println("!"); }
        }
        out.flush();
        System.err.println(System.getProperty("java.version"));
    }
}
