// Runs tests that take long or use random data: `*.nightly.test.ts`, and every property test with a random
// seed. `LOYALTY_TEST_SEED=<seed> npm test -- <path>` repeats a run. The arguments are the command that runs
// Jest, and further arguments for Jest.
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { runTests } from './run-tests.mjs';

const LOYALTY_TEST_SEED = String(randomInt(2 ** 31));
const exclude = (name) => ['node_modules', 'generated'].includes(name);
const folders = '{platform,subgraphs,gateway,rest-adapter,worker,web,cli,test}';
const tests = globSync(`${folders}/**/*.test.ts`, { exclude });
const properties = tests
  .filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"))
  .map((file) => `--testMatch=**/${file}`);

console.log(`The seed of this run is ${LOYALTY_TEST_SEED}.`);
runTests('nightly', [...process.argv.slice(2), ...properties], { LOYALTY_TEST_SEED });
