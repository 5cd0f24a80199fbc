// Sums up test runs. Each argument is `<exit code>:<file>`; the file is that of Jest's --outputFile. A run
// that failed without a failed test, because it could not start or an earlier check failed, counts as one
// failure.
import { existsSync, readFileSync } from 'node:fs';

const counts = process.argv.slice(2).map((run) => {
  const [code, ...path] = run.split(':');
  const file = path.join(':');
  const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const { numPassedTests: passed = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = result;
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return { passed, failed: code === '0' ? failed : Math.max(failed, 1) };
});

const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(sum('failed') > 0 ? 1 : 0);
