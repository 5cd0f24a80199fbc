import { rm } from 'node:fs/promises';
import { checkStatements } from '../../tenancy/check-statements.ts';
import './global-setup.ts'; // declares the variable

/**
 * Runs after the last test file. Checks the statements that the product sent, and drops the databases of the
 * run.
 */
export default async function globalTeardown(): Promise<void> {
  const { LOYALTY_TEST_STATEMENTS: folder = '' } = process.env;
  try {
    await checkStatements(folder);
  } finally {
    await globalThis.loyaltyTestServer?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
