import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../harness/eventually.ts';

type Part = 'start' | 'all';

interface Packages {
  isInstalled(root: string, part: Part): boolean;
  markInstalled(root: string, part: Part): void;
  unmarkInstalled(root: string): void;
}

const script = new URL('../../../scripts/packages.mjs', import.meta.url).href;
const { isInstalled, markInstalled, unmarkInstalled } = (await import(script)) as Packages;
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loyalty-packages-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text = '{}'): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A folder for each package that npm has installed in this checkout, with only a manifest in it. */
function givenInstalled(): string[] {
  cpSync(join(checkout, 'package-lock.json'), join(root, 'package-lock.json'));
  const list = 'node_modules/.package-lock.json';
  const text = readFileSync(join(checkout, list), 'utf8');
  const paths = Object.keys((JSON.parse(text) as { packages: object }).packages);
  for (const path of paths) write(`${path}/package.json`);
  write(list, text);
  write('node_modules/.bin/node');
  markInstalled(root, 'all');
  return paths;
}

describe('packages count as installed', () => {
  test('when every folder that npm has made exists', () => {
    givenInstalled();
    expect(isInstalled(root, 'all')).toBe(true);
  });

  test('not when the packages of one workspace, or a single package, are missing', () => {
    const nested = givenInstalled()
      .filter((path) => /.\/node_modules\//.test(path) && !path.startsWith('node_modules/'))
      .map((path) => path.slice(0, path.indexOf('/node_modules/') + '/node_modules'.length));
    const lacking = [...new Set(nested), 'node_modules/graphql', 'node_modules/@loyalty/cli'];
    expect(lacking.length).toBeGreaterThan(3);
    for (const path of lacking) {
      cpSync(join(root, path), join(root, 'kept'), { recursive: true });
      rmSync(join(root, path), { recursive: true });
      expect({ path, isInstalled: isInstalled(root, 'all') }).toEqual({ path, isInstalled: false });
      cpSync(join(root, 'kept'), join(root, path), { recursive: true });
      rmSync(join(root, 'kept'), { recursive: true });
    }
    expect(isInstalled(root, 'all')).toBe(true);
  });

  test('not when the lockfile has changed since, npm did not end or Node is missing', () => {
    givenInstalled();
    unmarkInstalled(root);
    expect(isInstalled(root, 'all')).toBe(false);
    markInstalled(root, 'all');
    rmSync(join(root, 'node_modules/.bin/node'));
    expect(isInstalled(root, 'all')).toBe(false);
    write('node_modules/.bin/node');
    expect(isInstalled(root, 'all')).toBe(true);
    write('package-lock.json', '{"packages":{}}');
    expect(isInstalled(root, 'all')).toBe(false);
  });
});

test('what was installed for npm start is not enough for tests; what was installed for tests is enough', () => {
  givenInstalled();
  expect(isInstalled(root, 'start')).toBe(true);
  markInstalled(root, 'start');
  expect(isInstalled(root, 'start')).toBe(true);
  expect(isInstalled(root, 'all')).toBe(false);
});

/**
 * A process that installs packages until its input ends. It prints a line when it waits, when it begins and
 * when it is done.
 */
function installer() {
  const program = `
    import { whileAlone } from ${JSON.stringify(script)};
    await whileAlone(${JSON.stringify(root)}, (pid) => console.log('waits for ' + pid), async () => {
      console.log('has it');
      await new Promise((resolve) => process.stdin.on('end', resolve).resume());
      console.log('is done');
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return {
    pid: child.pid!,
    says: (text: string) => eventually(() => expect(output).toContain(text)),
    output: () => output,
    async end(signal?: 'SIGKILL') {
      const closed = once(child, 'close');
      if (signal) child.kill(signal);
      else child.stdin.end();
      await closed;
    },
  };
}

test('of two processes that install at once, the second waits for the first', async () => {
  const first = installer();
  await first.says('has it');
  const second = installer();
  await second.says(`waits for ${first.pid}`);
  expect(second.output()).not.toContain('has it');
  await first.end();
  await second.says('has it');
  await second.end();
  expect(second.output()).toContain('is done');
});

test('the lock of a killed process is taken over by one of the processes that wait for it', async () => {
  const killed = installer();
  await killed.says('has it');
  await killed.end('SIGKILL');
  const both = [installer(), installer()];
  const having = () => both.filter((one) => one.output().includes('has it'));
  const [first] = await eventually(() => {
    expect(having()).toHaveLength(1);
    return having();
  });
  const other = both.find((one) => one !== first)!;
  await other.says(`waits for ${first!.pid}`);
  await first!.end();
  await other.says('has it');
  await other.end();
});
