import { rm } from 'node:fs/promises';
import { checkStatements } from '../../tenancy/check-statements.ts';
import './global-setup.ts'; // declares the variable

/** After the last test file: checks what the product sent to the database, and drops what the run made. */
export default async function globalTeardown(): Promise<void> {
  const { LOYALTY_TEST_STATEMENTS: folder = '' } = process.env;
  try {
    await checkStatements(folder);
  } finally {
    await globalThis.loyaltyTestServer?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
