// Runs the contract tests with Apollo Gateway as the engine of the gateway. The arguments are the command
// that runs Jest, and further arguments for Jest.
import { runJest } from './run-tests.mjs';

const folders = ['test/src/contract', 'test/src/access', 'test/src/mcp', 'test/src/segments', 'rest-adapter'];
runJest([...process.argv.slice(2), ...folders], { LOYALTY_TEST_ENGINE: 'apollo' });
