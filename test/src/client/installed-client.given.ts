import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const client = join(root, 'packages/client');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

const run = (script: string, args: readonly string[], cwd: string): string =>
  execFileSync(process.execPath, [script, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });

/** The package as npm packs it, unpacked; `work` is an empty folder. */
function packClient(work: string): string {
  run(compiler, ['--project', 'tsconfig.build.json', '--outDir', join(work, 'dist')], client);
  for (const file of ['package.json', 'README.md']) cpSync(join(client, file), join(work, file));
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: work, stdio: 'pipe' });
  const packed = readdirSync(work).find((name) => name.endsWith('.tgz'))!;
  execFileSync('tar', ['-xzf', packed], { cwd: work });
  return join(work, 'package');
}

/**
 * Builds and packs the package and lays it out as npm installs it: what it publishes, and what it depends on,
 * in a folder that has nothing else.
 */
export function installClient(folder: string): void {
  const work = join(folder, 'work');
  mkdirSync(work);
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@loyalty'), { recursive: true });
  const installed = join(modules, '@loyalty/client');
  cpSync(packClient(work), installed, { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const types = ['openapi-typescript-helpers', '@types/node', 'undici-types'];
  for (const name of [...Object.keys(dependencies), ...types]) {
    const target = join(modules, name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), target);
  }
}

/** Type-checks a program as a project that starts with `tsc --init --strict` does. @throws with what tsc prints */
export function checkProgram(folder: string, program: string): void {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'program.ts'), program);
  const options = [
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    'false',
    '--module',
    'nodenext',
    '--target',
    'es2023',
  ];
  try {
    run(compiler, [...options, '--types', 'node', '--lib', 'es2023,dom,dom.iterable', 'program.ts'], folder);
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout ?? String(error));
  }
}
