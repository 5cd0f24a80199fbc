import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

// Compresses the built files, as browsers load them, and fails if a file exceeds its budget.

const KIB = 1_024;
const budgets = {
  script: 180 * KIB,
  style: 40 * KIB,
  route: 30 * KIB,
  plots: 45 * KIB,
  editor: 130 * KIB,
} as const;
const dist = new URL('../../dist/', import.meta.url);
const assets = new URL('assets/', dist);

const sizes = new Map<string, number>();
for (const name of readdirSync(assets).filter((each) => /\.(js|css|json)$/.test(each))) {
  const content = readFileSync(new URL(name, assets));
  const packed = gzipSync(content, { level: 9 });
  writeFileSync(new URL(`${name}.gz`, assets), packed);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  writeFileSync(new URL(`${name}.br`, assets), brotliCompressSync(content, quality));
  sizes.set(name, packed.length);
}

const page = readFileSync(new URL('app.html', dist), 'utf8');
const first = [...page.matchAll(/assets\/([^"]+)/g)].map(([, name]) => name!);
const sum = (names: readonly string[]): number =>
  names.reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
const scripts = [...sizes.keys()].filter((name) => name.endsWith('.js'));
const screens = [...sizes.keys()].filter((name) => /\.screen-/.test(name));
const measured = [
  ['scripts of the first load', sum(first.filter((name) => name.endsWith('.js'))), budgets.script],
  ['styles of the first load', sum(first.filter((name) => name.endsWith('.css'))), budgets.style],
  ['plots', sum(scripts.filter((name) => name.startsWith('plots-'))), budgets.plots],
  ...screens.map((name) => [name, sizes.get(name)!, budgets.route] as const),
  ['editor of JSON', sum(scripts.filter((name) => name.startsWith('json-editor-'))), budgets.editor],
] as const;
// A size of 0 means that the file was renamed.
const over = measured.filter(([, bytes, budget]) => bytes === 0 || bytes > budget);
for (const [what, bytes, budget] of over)
  process.stderr.write(`${what}: ${(bytes / KIB).toFixed(1)} KiB, at most ${budget / KIB}\n`);
if (over.length > 0) process.exitCode = 1;
