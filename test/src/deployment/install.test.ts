import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '../harness/eventually.ts';

interface Step {
  succeed(detail?: string): void;
  fail(): void;
}
interface Steps {
  startStep(title: string, options: object, out: { isTTY: boolean; write(text: string): void }): Step;
}

const scripts = fileURLToPath(new URL('../../../scripts', import.meta.url));
const { startStep } = (await import(join(scripts, 'steps.mjs'))) as Steps;
const { refusalOf } = (await import(join(scripts, 'node-version.mjs'))) as {
  refusalOf(version: string): string | null;
};

/**
 * The npm of these tests. It writes down how it is called, then behaves as the file `behaviour` says: each line
 * is for one installation, and the last one for all that follow.
 */
const npm = `#!/usr/bin/env node
const fs = require('node:fs');
const [command, ...args] = process.argv.slice(2);
if (command === '--version') {
  console.log(fs.existsSync('npm-version') ? fs.readFileSync('npm-version', 'utf8') : '11.19.1');
  process.exit();
}
fs.appendFileSync('calls', command + '\\n');
if (command === 'rebuild') process.exit();
const lines = fs.readFileSync('behaviour', 'utf8').split('\\n');
const line = lines.shift();
if (lines.length > 0) fs.writeFileSync('behaviour', lines.join('\\n'));
if (line === 'is killed') process.kill(process.pid, 'SIGKILL');
if (line.startsWith('fails ')) {
  fs.mkdirSync('node_modules/half', { recursive: true });
  console.error('npm error code ' + line.slice(6) + '\\nnpm error     at async mkdir (file.js:1:2)');
  process.exit(190);
}
const install = () => {
  fs.mkdirSync('node_modules/.bin', { recursive: true });
  for (const name of ['node', 'turbo']) {
    fs.writeFileSync('node_modules/.bin/' + name, '#!/bin/sh\\necho "$*"\\n', { mode: 0o755 });
  }
  fs.mkdirSync('node_modules/one', { recursive: true });
  fs.writeFileSync('node_modules/one/package.json', '{}');
  fs.writeFileSync('node_modules/.package-lock.json', '{"packages":{"node_modules/one":{}}}');
};
const wait = () => (line === 'waits' && !fs.existsSync('go') ? setTimeout(wait, 20) : install());
wait();
`;

let root: string;
beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), 'loyalty-install-')), 'a b');
  cpSync(scripts, join(root, 'scripts'), { recursive: true });
  write('programs/package.json', '{}');
  write('programs/npm', npm);
  chmodSync(join(root, 'programs/npm'), 0o755);
  write('package.json', '{"type":"module","workspaces":["cli","test"]}');
  write('package-lock.json', '{"packages":{"":{},"cli":{},"node_modules/one":{},"node_modules/two":{}}}');
  write('behaviour', 'installs');
});
afterEach(() => rmSync(dirname(root), { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const calls = (): string[] =>
  existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [];

const programs = [dirname(process.execPath), '/usr/bin', '/bin'];

function begin(task: string, folders = [join(root, 'programs'), ...programs]) {
  const path = folders.join(delimiter);
  const child = spawn(process.execPath, ['scripts/run.mjs', task], {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const closed = once(child, 'close');
  return { pid: child.pid!, output: () => output, code: async () => (await closed)[0] as number };
}

/** On a slow machine, steps that print nothing within a second print these lines. */
const isSlow = (line: string) => /^(Setting up packages|Generating code) …/.test(line);

/** Runs a task to its end; returns the exit code and the lines, in which each number of seconds is 0. */
async function run(task: string, folders?: string[]) {
  const started = begin(task, folders);
  const code = await started.code();
  const lines = started.output().trim().split('\n');
  return { code, lines: lines.filter((line) => !isSlow(line)).map((line) => line.replace(/\d+ s$/, '0 s')) };
}

const hint = 'Installing packages (once, some minutes on a slow line) …';
const installed = 'Installing packages … 1 packages, 0 s';
const started = '--max-semi-space-size=16 cli/src/main.ts start';

test('an installation is one line at the start and one at the end; the second start prints none', async () => {
  expect(await run('start')).toEqual({ code: 0, lines: [hint, installed, started] });
  expect(await run('start')).toEqual({ code: 0, lines: [started] });
  expect(calls()).toEqual(['ci', 'rebuild']);
});

test.each(['ENOTEMPTY', 'EEXIST', 'ENOENT'])(
  'after %s, node_modules is removed and npm runs again',
  async (code) => {
    write('behaviour', `fails ${code}\ninstalls`);
    write('cli/node_modules/half/package.json', '{}');
    const retry = 'npm failed and left incomplete packages: removing node_modules and installing once more.';
    expect(await run('start')).toEqual({ code: 0, lines: [hint, retry, hint, installed, started] });
    expect(calls()).toEqual(['ci', 'ci', 'rebuild']);
    expect(existsSync(join(root, 'node_modules/half'))).toBe(false);
    expect(existsSync(join(root, 'cli/node_modules'))).toBe(false);
  },
);

test('npm runs only twice, and again only if there were packages before or some are in the way', async () => {
  write('behaviour', 'fails E404');
  const failed = ['npm error code E404', 'Installing packages failed: see above, then try again.'];
  expect(await run('start')).toEqual({ code: 1, lines: [hint, ...failed] });
  expect(calls()).toEqual(['ci']);
  const { code, lines } = await run('start');
  expect({ code, end: lines.slice(-2) }).toEqual({ code: 1, end: failed });
  expect(calls()).toEqual(['ci', 'ci', 'ci']);
});

test('an npm that was killed is named, and the next start installs', async () => {
  write('behaviour', 'is killed\ninstalls');
  const killed = 'Installing packages ended with code 137: try again.';
  expect(await run('start')).toEqual({ code: 1, lines: [hint, killed] });
  expect(await run('start')).toEqual({ code: 0, lines: [hint, installed, started] });
});

test.each([
  ['ENOSPC', 'The disk is full'],
  ['ENOTFOUND', 'The package registry cannot be reached'],
  ['EAI_AGAIN', 'The package registry cannot be reached'],
  ['ECONNREFUSED', 'The package registry cannot be reached'],
  ['ETIMEDOUT', 'The package registry cannot be reached'],
  ['EACCES', 'A folder cannot be written'],
  ['EROFS', 'A folder cannot be written'],
  ['EUSAGE', 'npm cannot use package-lock.json'],
])('after %s npm runs once, and the last line says what to do', async (error, sentence) => {
  write('behaviour', `fails ${error}`);
  write('node_modules/one/package.json', '{}');
  const { code, lines } = await run('start');
  expect(code).toBe(1);
  expect(lines).toEqual([hint, `npm error code ${error}`, expect.stringContaining(sentence)]);
  expect(lines.at(-1)).toMatch(/: .+\.$/);
  expect(calls()).toEqual(['ci']);
});

test('an npm that is missing or too old is named before anything is installed', async () => {
  write('npm-version', '6.14.18');
  const { code, lines } = await run('start');
  expect({ code, lines }).toEqual({
    code: 1,
    lines: ['6.14.18', 'npm 7 or newer is needed: run `npm install --global npm@11`, then try again.'],
  });
  const missing = 'npm is missing: install Node 20 or newer together with npm, then try again.';
  expect(await run('start', [join(root, 'scripts')])).toEqual({ code: 1, lines: [missing] });
  expect(calls()).toEqual([]);
});

test('npm start and npm test at once: the second waits, then adds the packages of tests', async () => {
  write('behaviour', 'waits\ninstalls');
  const first = begin('start');
  await eventually(() => expect(calls()).toEqual(['ci']));
  const second = begin('test');
  await eventually(() =>
    expect(second.output()).toContain(`Process ${first.pid} installs packages here; waiting`),
  );
  expect(calls()).toEqual(['ci']);
  write('go', '');
  expect(await first.code()).toBe(0);
  expect(await second.code()).toBe(0);
  expect(calls()).toEqual(['ci', 'rebuild', 'install', 'rebuild']);
  expect(existsSync(join(root, '.installing'))).toBe(false);
});

test('on a terminal the line of a step is rewritten in place', () => {
  let written = '';
  const out = {
    isTTY: true,
    write(text: string) {
      written += text;
    },
  };
  startStep('Installing', { progress: () => '3 of 7' }, out).succeed('7 packages');
  expect(written.replace(/\d+ s/, '0 s')).toBe(
    '\r\u001b[KInstalling … 3 of 7\r\u001b[KInstalling … 7 packages, 0 s\n',
  );
  written = '';
  startStep('Generating', { isQuick: true }, out).succeed();
  startStep('Generating', { isQuick: true }, { ...out, isTTY: false }).fail();
  expect(written).toBe('');
});

test('Node below 20 is refused with one sentence', () => {
  expect(refusalOf('20.0.0')).toBe(null);
  expect(refusalOf('24.21.0')).toBe(null);
  for (const version of ['16.20.2', '18.19.1', '9.0.0']) {
    expect(refusalOf(version)).toBe(`This is Node ${version}: install Node 20 or newer, then try again.`);
  }
});
