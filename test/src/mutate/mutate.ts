import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestServer } from '../harness/database/test-server.ts';
import { changedLines } from './changed-lines.ts';
import { type Mutant, mutantsOf, withMutant } from './mutants.ts';

const HELP = `npm run mutate                     makes each changed line wrong and runs the nearest tests
npm run mutate -- --since main     against another commit than the last one
npm run mutate -- a/b.ts c/d.ts    all lines of these files
  --max 40                         at most so many, spread over all (default 60)

A line for each: which test caught it, or SURVIVED. The files themselves are not touched: Jest changes what it
loads. A mutant that survives wants a test, or shows that the code does nothing.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    since: { type: 'string', default: 'HEAD' },
    max: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});

/** The time limit of a test run, because a mutant may keep tests from ending. */
const LONGEST_MS = 180_000;

interface Chosen {
  readonly file: string;
  readonly mutant: Mutant;
}

async function mutate(): Promise<number> {
  const all = chosen();
  const step = Math.max(1, all.length / Number(values.max));
  const some = Array.from(
    { length: Math.min(all.length, Number(values.max)) },
    (_, n) => all[Math.floor(n * step)]!,
  );
  console.log(
    `${some.length} of ${all.length} mutants in ${new Set(all.map(({ file }) => file)).size} files`,
  );
  const server = await startTestServer(process.env['TEST_DATABASE_URL']);
  const env = { ...process.env, TEST_DATABASE_URL: server.url };
  let survived = 0;
  try {
    const passing = new Map<string, Promise<boolean>>();
    for (const { file, mutant } of some) {
      const tests = nearestTests(file);
      const place = `${file}:${mutant.line} ${mutant.from.trim()} → ${mutant.to.trim() || 'nothing'}`;
      const key = tests.join(' ');
      if (!passing.has(key))
        passing.set(
          key,
          run(tests, env).then(({ caught }) => !caught),
        );
      if (tests.length === 0) console.log(`NO TEST  ${place}`);
      else if (!(await passing.get(key))) console.log(`FAILING  ${place}: its tests fail without it`);
      else {
        const { caught, by } = await run(tests, {
          ...env,
          LOYALTY_MUTANT: JSON.stringify({ file, ...mutant }),
        });
        if (!caught) survived += 1;
        console.log(caught ? `caught   ${place}: ${by}` : `SURVIVED ${place}`);
      }
    }
  } finally {
    await server.stop();
  }
  console.log(`${some.length - survived} caught, ${survived} survived`);
  return survived > 0 ? 1 : 0;
}

function chosen(): Chosen[] {
  const files =
    positionals.length > 0
      ? new Map(positionals.map((file) => [file, undefined]))
      : changedLines(values.since);
  return [...files]
    .filter(([file]) => isProduct(file))
    .flatMap(([file, lines]) => {
      const source = readFileSync(file, 'utf8');
      return mutantsOf(source, lines)
        .filter((mutant) => isReadable(withMutant(source, mutant)))
        .map((mutant) => ({ file, mutant }));
    });
}

const isProduct = (file: string): boolean =>
  file.endsWith('.ts') && !/\.(?:test|fixture|bench|d)\.ts$|^test\/|\/generated\//.test(file);

function isReadable(source: string): boolean {
  try {
    stripTypeScriptTypes(source);
    return true;
  } catch {
    return false;
  }
}

/**
 * The tests of a file by its name; otherwise those in its folder; otherwise those in the nearest parent
 * folder.
 */
function nearestTests(file: string): string[] {
  const [noun = ''] = basename(file).split('.');
  for (let folder = dirname(file); folder.includes('/'); folder = dirname(folder)) {
    const tests = readdirSync(folder).filter((name) => /^[^.]+\.test\.ts$/.test(name));
    const named = tests.filter((name) => name.startsWith(`${noun}.`));
    const found = named.length > 0 ? named : tests;
    if (found.length > 0) return found.map((name) => join(folder, name));
  }
  return [];
}

/** Runs tests, and stops at the first failure. */
async function run(tests: string[], env: NodeJS.ProcessEnv): Promise<{ caught: boolean; by: string }> {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--bail', '--json'];
  const child = spawn(process.execPath, [...jest, '--maxWorkers=1', '--runTestsByPath', ...tests], { env });
  const late = setTimeout(() => child.kill(), LONGEST_MS);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  child.stderr.resume();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(late);
  if (code === 0) return { caught: false, by: '' };
  const found = /"fullName":"((?:[^"\\]|\\.)*)"[^{}]*"status":"failed"/.exec(output)?.[1];
  return { caught: true, by: code === null ? 'it does not end' : (found ?? 'the file fails') };
}

if (values.help) console.log(HELP);
else process.exitCode = await mutate();
