import { rm } from 'node:fs/promises';
import { checkStatements } from '../../tenancy/check-statements.ts';
import './global-setup.ts'; // declares the variable

/** After the last test file: checks what the product sent to the database, and drops what the run made. */
export default async function globalTeardown(): Promise<void> {
  const folder = process.env.LOYALTY_TEST_STATEMENTS ?? '';
  try {
    await checkStatements(folder);
  } finally {
    await globalThis.loyaltyTestServer?.stop();
    if (!process.env.KEEP) await rm(folder, { recursive: true, force: true });
  }
}
