import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** Jetty 9, embedded. Arguments: for each server its port, HttpCompliance, and whether paths are compacted: "8000,RFC7230,true". */
public class JettyHops {
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
        System.setProperty("org.eclipse.jetty.util.log.class", "org.eclipse.jetty.util.log.StdErrLog");
        System.setProperty("org.eclipse.jetty.LEVEL", "OFF");
        for (String text : given) {
            String[] words = text.split(",");
            Server server = new Server();
            HttpConnectionFactory factory = new HttpConnectionFactory();
            factory.setHttpCompliance(HttpCompliance.valueOf(words[1]));
            ServerConnector connector = new ServerConnector(server, factory);
            connector.setHost("127.0.0.1");
            connector.setPort(Integer.parseInt(words[0]));
            connector.setIdleTimeout(600000);
            server.addConnector(connector);
            ServletContextHandler context = new ServletContextHandler();
            context.setContextPath("/");
            context.setCompactPath(Boolean.parseBoolean(words[2]));
            context.addServlet(new ServletHolder(new Says("R")), "/admin");
            context.addServlet(new ServletHolder(new Says("A")), "/admin/*");
            context.addServlet(new ServletHolder(new Says("O")), "/");
            server.setHandler(context);
            server.start();
        }
    }
}
