import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';

/** Runs the fixture files in this folder with Jest, in processes of their own. */
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = fileURLToPath(new URL('.', import.meta.url));

const config = {
  rootDir: root,
  roots: [folder],
  testMatch: ['**/*.fixture.ts'],
  testEnvironment: '<rootDir>/test/jest/native-environment.mjs',
  runtime: '<rootDir>/test/jest/native-runtime.mjs',
  injectGlobals: false,
  waitForUnhandledRejections: true,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  // With this option Jest starts worker processes even for a few tests.
  workerIdleMemoryLimit: '1GB',
};

interface FileResult {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly message: string;
  readonly assertionResults: readonly { title: string; status: string; failureMessages: string[] }[];
}

const results = new Map<string, FileResult>();

beforeAll(async () => {
  const args = [
    'node_modules/jest/bin/jest.js',
    '--json',
    '--maxWorkers=2',
    '--forceExit',
    '--config',
    JSON.stringify(config),
  ];
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, ['--experimental-vm-modules', ...args], { cwd: root }, (_error, stdout) =>
      resolve(stdout),
    ),
  );
  for (const result of JSON.parse(output).testResults as FileResult[]) {
    results.set(result.name.slice(folder.length).replace('.fixture.ts', ''), result);
  }
});

test.each([
  ['timer', 'left behind: 1 Timeout'],
  ['server', 'left behind: 1 TCPServerWrap'],
  ['variable', 'left behind: another value of the variable LEFT_BEHIND'],
  ['replaced-global', 'left behind: another structuredClone'],
  ['listener', 'left behind: 1 listeners of the process for SIGUSR2'],
])('a file that leaves a %s behind fails and says so', (name, message) => {
  expect(results.get(name)).toMatchObject({ status: 'failed', message: expect.stringContaining(message) });
});

test('a rejection that nobody handles fails its test', () => {
  expect(results.get('rejection')?.assertionResults).toMatchObject([
    { status: 'failed', failureMessages: [expect.stringContaining('nobody handles this')] },
    { status: 'passed' },
  ]);
});

test('a file that leaves nothing behind passes, after one that did', () => {
  expect(results.get('tidy')?.status).toBe('passed');
  expect(results.size).toBe(7);
});
