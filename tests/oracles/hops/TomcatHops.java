import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.IntrospectionUtils;

/** Tomcat, embedded. Arguments: a folder, then for each connector its port and its properties: "8000,allowBackslash=true". */
public class TomcatHops {
    static class Says extends HttpServlet {
        final String letter;

        Says(String letter) {
            this.letter = letter;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String below = request.getPathInfo();
            String text = letter + request.getServletPath() + (below == null ? "" : below);
            byte[] octets = (text + "\0raw\0" + request.getRequestURI()).getBytes(StandardCharsets.UTF_8);
            response.setContentLength(octets.length);
            response.getOutputStream().write(octets);
        }
    }

    public static void main(String[] given) throws Exception {
        Logger.getLogger("").setLevel(Level.SEVERE);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(given[0]);
        tomcat.getEngine().setDefaultHost(tomcat.getHost().getName());
        for (int i = 1; i < given.length; i++) {
            String[] words = given[i].split(",");
            Connector connector = new Connector();
            connector.setPort(Integer.parseInt(words[0]));
            connector.setProperty("address", "127.0.0.1");
            connector.setProperty("maxKeepAliveRequests", "-1");
            connector.setProperty("keepAliveTimeout", "600000");
            for (int j = 1; j < words.length; j++) {
                String[] pair = words[j].split("=", 2);
                if (!IntrospectionUtils.setProperty(connector, pair[0], pair[1])) {
                    throw new IllegalArgumentException(words[j]);
                }
            }
            tomcat.getService().addConnector(connector);
        }
        Context context = tomcat.addContext("", given[0]);
        String[][] rules = {{"R", "/admin"}, {"A", "/admin/*"}, {"O", "/"}};
        for (String[] rule : rules) {
            Tomcat.addServlet(context, rule[0], new Says(rule[0]));
            context.addServletMappingDecoded(rule[1], rule[0]);
        }
        tomcat.start();
        tomcat.getServer().await();
    }
}
