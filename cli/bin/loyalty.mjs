#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The product runs TypeScript as it is, which needs a new Node; a checkout brings one along.
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const own = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const NODE_MIN = 24;
const isOldNode = Number(process.versions.node.split('.')[0]) < NODE_MIN;

if (!isOldNode) {
  await import(main);
} else if (existsSync(own)) {
  const child = spawn(own, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
} else {
  console.error(`Use Node ${NODE_MIN} or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}
