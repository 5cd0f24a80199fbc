import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';

/**
 * Runs before each test file: properties are tried with the same cases in every run, so that nothing fails by
 * chance. `npm run test:nightly` tries other ones. The first counterexample of an asynchronous property is reported
 * as it is: to shrink it takes so many statements that the test would time out and hide it.
 */
const { LOYALTY_TEST_SEED = '1' } = process.env;
const text = readFileSync(expect.getState().testPath!, 'utf8');

if (text.includes("from 'fast-check'")) {
  const { default: fc } = await import('fast-check');
  const endOnFailure = text.includes('fc.asyncProperty');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(LOYALTY_TEST_SEED), endOnFailure });
}
