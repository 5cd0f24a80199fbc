import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const client = join(root, 'packages/client');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** Packs the package with npm and unpacks it into `work`, an empty folder. */
function packClient(work: string): string {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', work], { cwd: client, stdio: 'pipe' });
  const packed = readdirSync(work).find((name) => name.endsWith('.tgz'))!;
  execFileSync('tar', ['-xzf', packed], { cwd: work });
  return join(work, 'package');
}

/**
 * Builds and packs the package, and lays it out with its dependencies as npm would install it, in a folder
 * that has no other packages.
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

/** The parts of the package's manifest that matter to those who install it. */
export function manifestIn(installed: string) {
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly peerDependencies: Readonly<Record<string, string>>;
    readonly license: string;
    readonly private?: boolean;
  };
}

/**
 * Compiles programs, each in a file of its own, with the settings that `tsc --init` writes: strict, and with
 * a check of the libraries.
 *
 * @returns for each name its file for Node, and the errors of tsc for each program that has some
 */
export function compilePrograms<Name extends string>(
  folder: string,
  programs: Readonly<Record<Name, string>>,
) {
  const names = Object.keys(programs) as Name[];
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of names) writeFileSync(join(folder, `${name}.ts`), programs[name]);
  const strict = ['strict', 'exactOptionalPropertyTypes', 'noUncheckedIndexedAccess', 'isolatedModules'];
  const options = [...strict.map((name) => `--${name}`), '--skipLibCheck', 'false'];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'];
  const files = names.map((name) => `${name}.ts`);
  const said = spawnSync(process.execPath, [compiler, ...options, ...target, '--types', 'node', ...files], {
    cwd: folder,
    encoding: 'utf8',
  });
  // A message of tsc begins with the name of its file; its further lines are indented.
  const messages = said.stdout.split(/\n(?! )/).filter((message) => message !== '');
  const of = (name: string) => messages.filter((message) => message.startsWith(`${name}.ts(`));
  const elsewhere = messages.filter((message) => !names.some((name) => message.startsWith(`${name}.ts(`)));
  if (elsewhere.length > 0 || said.stderr) throw new Error([...elsewhere, said.stderr].join('\n'));
  return Object.fromEntries(
    names.map((name) => [name, { file: join(folder, `${name}.js`), faults: of(name).join('\n') }]),
  ) as Record<Name, { readonly file: string; readonly faults: string }>;
}
