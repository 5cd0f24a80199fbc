import pg from 'pg';

/** PostgreSQL's default for max_connections. */
const DEFAULT_CONNECTIONS = 100;
const ASKING_MS = 2_500;

/** Returns the number of connections for ordinary roles; the default if the server cannot be asked. */
export async function serverConnections(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ASKING_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ connections: number }>(
      `SELECT sum(CASE name WHEN 'max_connections' THEN 1 ELSE -1 END * setting::int)::int AS connections
         FROM pg_settings
        WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`,
    );
    return rows[0]!.connections;
  } catch {
    // The first use of the database reports that it is unavailable.
    return DEFAULT_CONNECTIONS;
  } finally {
    await client.end().catch(() => undefined);
  }
}
