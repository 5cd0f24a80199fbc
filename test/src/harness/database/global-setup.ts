import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCache } from '../../processes/compile-cache.ts';
import { startTestServer, type TestServer } from './test-server.ts';

declare global {
  /** Jest runs setup and teardown in one process. */
  var loyaltyTestServer: TestServer | undefined;
}

/**
 * Runs before the first test file. Starts one PostgreSQL with a template database for all files, or uses that
 * of TEST_DATABASE_URL.
 */
export default async function globalSetup(): Promise<void> {
  const { TEST_DATABASE_URL } = process.env;
  const server = await startTestServer(TEST_DATABASE_URL);
  globalThis.loyaltyTestServer = server;
  Object.assign(process.env, {
    LOYALTY_TEST_POSTGRES: server.url,
    LOYALTY_TEST_TEMPLATE: server.template,
    LOYALTY_TEST_RUN: `${server.run}`,
    ...compileCache,
    // Otherwise @apollo/gateway, which some tests compare with, sends telemetry to its vendor.
    APOLLO_TELEMETRY_DISABLED: 'true',
    LOYALTY_TEST_STATEMENTS: await mkdtemp(join(tmpdir(), 'loyalty-test-statements-')),
  });
}
