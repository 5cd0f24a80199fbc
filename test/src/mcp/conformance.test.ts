import { execFile } from 'node:child_process';
import { createServer, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { useStack } from '../harness/stack.ts';

const stack = useStack();
const run = promisify(execFile);
const baseline = join(import.meta.dirname, 'conformance.yml');
let url: string;

/** A proxy that adds a credential, because the runner sends none, and passes on everything else. */
function proxyTo(target: string, authorization: string) {
  const { hostname, port } = new URL(target);
  return createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passed = { ...headers, authorization };
    const asked = httpRequest({ hostname, port, method, path, headers: passed }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  });
}

beforeAll(async () => {
  const { secret } = await stack.key((await stack.signUp()).token);
  const proxy = proxyTo(stack.url, `Bearer ${secret}`).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  stack.beforeClose(() => proxy.close());
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/mcp`;
});

test('the conformance runner passes, but for the listed scenarios', async () => {
  const home = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
  const options = ['--url', url, '--suite', 'all', '--expected-failures', baseline];
  const runner = home.replace('package.json', 'dist/index.js');
  const { stdout } = await run(process.execPath, [runner, 'server', ...options]).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(stdout).toContain('Baseline check passed');
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])
    expect(stdout).toContain(`=== Running scenario: ${scenario} ===`);
});
