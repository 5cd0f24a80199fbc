// Makes the folder for a production machine, in three steps. An image has a layer for each step, so that a
// change of the sources does not install the packages again:
//
//   node scripts/production.mjs manifests <folder>   # copies files for npm
//   node scripts/production.mjs packages <folder>    # installs packages
//   node scripts/production.mjs sources <folder>     # copies sources; generated code must exist
//
// Without a step, `npm run build:production -- <folder>` generates and makes all three.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const workspaces = manifest.workspaces.flatMap((pattern) => globSync(pattern, { cwd: root }));

/** Served parts of a workspace package; each package has some of them. */
const served = ['src', 'bin', 'dist', 'generated', 'migrations', 'supergraph.graphql'];
const isForTests = /\.(test|fixture)\.ts$/;
/** Prisma's models are only types, which Node removes when it reads a file. */
const isForTypes = /prisma\/generated\/models$/;

/** Copies the files that npm reads; a command must exist when npm links it. */
function manifests(folder) {
  const commands = workspaces.map((name) => join(name, 'bin')).filter((path) => existsSync(join(root, path)));
  const files = workspaces.map((name) => join(name, 'package.json'));
  for (const path of ['package-lock.json', 'scripts/production.mjs', ...files, ...commands])
    copy(path, folder);
  // The other scripts of a checkout need packages that are not installed here.
  const scripts = { start: 'loyalty start' };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, scripts }, null, 2)}\n`);
}

/** Installs the packages that are needed to serve; none of them needs its install script. */
function packages(folder) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const { status } = spawnSync('npm', ['ci', '--omit=dev', ...flags], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('Installing packages failed: see above, then try again.');
}

/** Copies the sources unchanged, without tests, because Node runs TypeScript. The changelog is served. */
function sources(folder) {
  copy('CHANGELOG.md', folder);
  for (const name of workspaces.filter((name) => name !== 'test' && !name.startsWith('packages/')))
    for (const part of servedOf(name)) if (existsSync(join(root, name, part))) copy(join(name, part), folder);
}

/** A built package contains the code that was generated for it. */
const servedOf = (name) =>
  existsSync(join(root, name, 'dist')) ? served.filter((part) => part !== 'generated') : served;

const copy = (path, folder) =>
  cpSync(join(root, path), join(folder, path), {
    recursive: true,
    filter: (from) => !isForTests.test(from) && !isForTypes.test(from),
  });

const steps = { manifests, packages, sources };

const [first, second] = process.argv.slice(2);
const chosen = Object.hasOwn(steps, first) ? [steps[first]] : Object.values(steps);
const target = Object.hasOwn(steps, first) ? second : first;
if (!target) {
  console.error('Name the folder: node scripts/production.mjs [manifests|packages|sources] <folder>');
  process.exit(1);
}
for (const step of chosen) step(resolve(target));
