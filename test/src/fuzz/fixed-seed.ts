import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';

/**
 * Runs before each test file: properties are tried with the same cases in every run, so that nothing fails by
 * chance. `npm run test:nightly` tries other ones.
 */
const { LOYALTY_TEST_SEED = '1' } = process.env;
const text = readFileSync(expect.getState().testPath!, 'utf8');

if (text.includes("from 'fast-check'")) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(LOYALTY_TEST_SEED) });
}
