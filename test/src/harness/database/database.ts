import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { failedWith } from '@loyalty/prisma/sqlstate';
import pg from 'pg';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * Makes a migrated, empty database for one test file, in 20 to 200 ms. Any number of workers may call this at
 * the same time. A database that the test does not drop is dropped at the end of the run.
 */
export const createTestDatabase = (): Promise<TestDatabase> => createDatabase(readEnvironment().template);

/** Makes a database without tables, for a test that runs migrations. */
export const createBareDatabase = (): Promise<TestDatabase> => createDatabase('template0');

async function createDatabase(template: string): Promise<TestDatabase> {
  const { server, run } = readEnvironment();
  const name = `loyalty_test_${run}_${randomUUID().replaceAll('-', '')}`;
  await withClient(server, (client) => clone(client, name, template));
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = () =>
    withClient(server, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
  return { url: url.href, drop };
}

async function clone(client: pg.Client, name: string, template: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      return;
    } catch (error) {
      const isBusy = failedWith(error, 'OBJECT_IN_USE');
      if (!isBusy || attempt === 50) throw error;
      await delay(100);
    }
  }
}

/** Opens a connection, passes it to `work`, closes it, and returns the result. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function readEnvironment(): { server: string; template: string; run: string } {
  const {
    LOYALTY_TEST_POSTGRES: server,
    LOYALTY_TEST_TEMPLATE: template,
    LOYALTY_TEST_RUN: run,
  } = process.env;
  if (server && template && run) return { server, template, run };
  throw new Error(
    'createTestDatabase works inside Jest only, after test/src/harness/database/global-setup.ts has run',
  );
}
