import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';

/**
 * Runs before each test file. Properties are tested with the same cases in every run, so that nothing fails
 * by chance; `npm run test:nightly` uses other cases. The first counterexample of an asynchronous property is
 * reported without shrinking, because shrinking would take so many statements that the test times out and
 * hides it.
 */
const { LOYALTY_TEST_SEED = '1' } = process.env;
const text = readFileSync(expect.getState().testPath!, 'utf8');

if (text.includes("from 'fast-check'")) {
  const { default: fc } = await import('fast-check');
  const endOnFailure = text.includes('fc.asyncProperty');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(LOYALTY_TEST_SEED), endOnFailure });
}
