import pg from 'pg';

/** What a PostgreSQL allows by default. */
const DEFAULT_CONNECTIONS = 100;
const ASKING_MS = 2_500;

/** How many connections a server allows to ordinary roles; its default where it cannot be asked. */
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
    // Whoever needs the database says that it is away.
    return DEFAULT_CONNECTIONS;
  } finally {
    await client.end().catch(() => undefined);
  }
}
