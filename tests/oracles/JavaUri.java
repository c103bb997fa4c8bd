import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;

/** java.net.URI, which is RFC 2396 with what its documentation says it changes: one case a line, one answer a line. A
 * case is a text, or a base and a reference with a tab between; all in \\u escapes. An answer is "refused", or what
 * the URI holds, or the text of the resolved one; an absent component is "-", and ahead of others stands "+". */
public class JavaUri {
    static String unescape(String line) {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < line.length(); k += 4) text.append((char) Integer.parseInt(line.substring(k, k + 4), 16));
        return text.toString();
    }

    static String escape(String text) {
        if (text == null) return "-";
        StringBuilder line = new StringBuilder("+");
        for (char c : text.toCharArray()) line.append(String.format("%04x", (int) c));
        return line.toString();
    }

    static String answer(String[] texts) {
        try {
            URI uri = new URI(unescape(texts[0]));
            if (texts.length > 1) return escape(uri.resolve(new URI(unescape(texts[1]))).toString());
            String port = uri.getPort() < 0 ? null : Integer.toString(uri.getPort());
            StringBuilder found = new StringBuilder();
            for (String component : new String[] {uri.getScheme(), uri.isOpaque() ? uri.getRawSchemeSpecificPart() : null,
                    uri.getRawAuthority(), uri.getRawUserInfo(), uri.getHost(), port, uri.getRawPath(), uri.getRawQuery(),
                    uri.getRawFragment()})
                found.append(found.length() > 0 ? "\t" : "").append(escape(component));
            return found.toString();
        } catch (URISyntaxException error) {
            return "refused";
        }
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "US-ASCII");
        for (String line = in.readLine(); line != null; line = in.readLine()) out.println(answer(line.split("\t", -1)));
        out.flush();
    }
}
