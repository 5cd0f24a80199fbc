// Builds the documentation from the Markdown in `docs/`, as the files that `site/site.ts` serves. It belongs
// to the build: a production install has these files and none of the packages that make them.
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vitepress';
import { pictures, root, servedFiles, sitePages } from './site/pages.ts';

const folder = fileURLToPath(new URL('../../generated/', import.meta.url));
/** What VitePress reads: the pages, where the site has them, and its settings. */
const source = join(folder, 'site-source');
const site = join(folder, 'site');

const copy = (from: string, to: string): void => cpSync(join(root, from), to);

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const pages = sitePages();
for (const path of [source, site]) rmSync(path, { recursive: true, force: true });
for (const page of pages) copy(page.source, join(source, page.target));
for (const file of pictures()) copy(file, join(source, file.slice('docs/'.length)));
const settings = join(source, '.vitepress');
write(join(settings, 'config.ts'), `export { default } from '../../../src/build/site/config.ts';\n`);
write(join(settings, 'theme/index.ts'), `export { default } from '../../../../src/build/site/theme.js';\n`);

// It would link a package into the folder of this workspace.
process.chdir(root);
await build(source, { outDir: site, logLevel: 'warn' } as Parameters<typeof build>[1]);
rmSync(source, { recursive: true });

for (const file of servedFiles()) copy(file, join(site, file.slice('docs/'.length)));
for (const page of pages) copy(page.source, join(site, page.target));

/** The scripts that VitePress writes into a page, as a content security policy names them. */
const inline = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
const written = globSync('**/*.html', { cwd: site }).map((name) => readFileSync(join(site, name), 'utf8'));
const scripts = [...new Set(written.flatMap(inline))].sort();
const shown = pages.map(({ path, title, summary, group }) => ({ path, title, summary, group }));
write(join(site, 'site.json'), `${JSON.stringify({ scripts, pages: shown }, null, 2)}\n`);

for (const name of globSync('assets/**/*.{js,css}', { cwd: site })) {
  const text = readFileSync(join(site, name));
  const packed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  writeFileSync(join(site, `${name}.br`), packed);
}
