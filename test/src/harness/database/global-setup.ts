import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '../../processes/compile-cache.ts';
import { startTestServer, type TestServer } from './test-server.ts';

declare global {
  /** Jest runs setup and teardown in one process. */
  var loyaltyTestServer: TestServer | undefined;
}

/** Before the first test file: one PostgreSQL for all, of TEST_DATABASE_URL or embedded, with a template. */
export default async function globalSetup(): Promise<void> {
  const { TEST_DATABASE_URL } = process.env;
  const server = await startTestServer(TEST_DATABASE_URL);
  globalThis.loyaltyTestServer = server;
  Object.assign(process.env, {
    LOYALTY_TEST_POSTGRES: server.url,
    LOYALTY_TEST_TEMPLATE: server.template,
    LOYALTY_TEST_RUN: `${server.run}`,
    ...compileCache,
    // @apollo/gateway, the reference of some tests, reports to its vendor otherwise.
    APOLLO_TELEMETRY_DISABLED: 'true',
    LOYALTY_TEST_STATEMENTS: await mkdtemp(join(tmpdir(), 'loyalty-test-statements-')),
  });
}
