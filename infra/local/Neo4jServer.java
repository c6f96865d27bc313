import java.nio.file.Files;
import java.nio.file.Path;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * Neo4j in this process until it is asked to end. Run as a source file: java -cp 'lib/*' Neo4jServer.java HOME, with its settings
 * in HOME/neo4j.conf; writes HOME/ready when the database takes queries.
 */
public final class Neo4jServer {
    private Neo4jServer() {}

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        DatabaseManagementService service =
                new DatabaseManagementServiceBuilder(home).loadPropertiesFromFile(home.resolve("neo4j.conf")).build();
        Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
        if (!service.database("neo4j").isAvailable(120_000)) {
            System.err.println("the database neo4j did not become available in 120 s");
            System.exit(1);
        }
        Files.writeString(home.resolve("ready"), "");
        Thread.currentThread().join();
    }
}
