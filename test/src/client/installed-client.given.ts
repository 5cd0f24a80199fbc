import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const client = join(root, 'packages/client');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

const run = (script: string, args: readonly string[], cwd: string): string =>
  execFileSync(process.execPath, [script, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });

/** The package as npm packs it in a checkout, unpacked; `work` is an empty folder. */
function packClient(work: string): string {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', work], { cwd: client, stdio: 'pipe' });
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
  const { dependencies, peerDependencies } = manifestIn(installed);
  const types = ['openapi-typescript-helpers', '@types/node', 'undici-types'];
  for (const name of [...Object.keys({ ...dependencies, ...peerDependencies }), ...types]) {
    const target = join(modules, name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), target);
  }
}

/** What the package declares, as far as those who install it depend on it. */
export function manifestIn(installed: string) {
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly peerDependencies: Readonly<Record<string, string>>;
    readonly license: string;
    readonly private?: boolean;
  };
}

/**
 * Compiles a program as a project that starts with `tsc --init` does: strict, libraries checked too.
 *
 * @returns the file for Node
 * @throws with what tsc prints
 */
export function compileProgram(folder: string, program: string): string {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'program.ts'), program);
  const strict = ['strict', 'exactOptionalPropertyTypes', 'noUncheckedIndexedAccess', 'isolatedModules'];
  const options = [...strict.map((name) => `--${name}`), '--skipLibCheck', 'false', '--noEmitOnError'];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'];
  try {
    run(compiler, [...options, ...target, '--types', 'node', 'program.ts'], folder);
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout ?? String(error));
  }
  return join(folder, 'program.js');
}
