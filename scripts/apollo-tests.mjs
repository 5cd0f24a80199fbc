// Runs the contract tests with Apollo Gateway as the engine of the gateway. The arguments are the command
// that runs Jest, and further arguments for Jest.
import { spawn } from 'node:child_process';

const folders = ['test/src/contract', 'test/src/access', 'test/src/mcp', 'test/src/segments', 'rest-adapter'];
const [program, ...args] = process.argv.slice(2);
const env = { ...process.env, LOYALTY_TEST_ENGINE: 'apollo' };
const tests = spawn(program, [...args, ...folders], { stdio: 'inherit', env });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => tests.kill(signal));
tests.on('close', (code) => process.exit(code ?? 1));
