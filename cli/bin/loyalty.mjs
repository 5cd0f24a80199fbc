#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The product runs TypeScript as it is, which needs the Node that it brings along.
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const own = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const isOldNode = Number(process.versions.node.split('.')[0]) < 24;

if (isOldNode && existsSync(own)) {
  const child = spawn(own, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
} else {
  await import(main);
}
