import { readFileSync } from 'node:fs';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin, Rolldown } from 'vite';

const ROUTE = /path: '([^']+)'[\s\S]*?import\('\.\/(screens\/[^']+)'\)/g;

/**
 * Writes `screens.json`: for the address of every screen, the files that it loads in addition to those of the
 * first load. The server adds them to the page, so that the browser fetches all of them at once.
 */
export const screenFiles = (): Plugin => ({
  name: 'screen-files',
  apply: 'build',
  generateBundle(_, bundle) {
    const routes = readFileSync(new URL('../../app/routes.tsx', import.meta.url), 'utf8');
    const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
    const screens = [...routes.matchAll(ROUTE)].map(([, path, module]) => {
      const screen = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/app/${module}`));
      if (!screen) throw new Error(`The screen at ${path} is not built: ${module}`);
      return { path: path!, files: filesOf(screen, chunks) };
    });
    this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(screens) });
  },
});

/** Returns the files of a chunk and of its imports, without those of the first load. */
function filesOf(screen: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]): string[] {
  const first = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  const files = new Set<string>();
  const add = (chunk: Rolldown.OutputChunk): void => {
    if (files.has(chunk.fileName) || first.includes(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name)!);
  };
  add(screen);
  return [...files];
}

const MESSAGES = /\/app\/messages\/[\w.]+\.json$/;

/** Parses the texts at build time, so that browsers load no parser. */
export const compiledMessages = (): Plugin => ({
  name: 'compiled-messages',
  enforce: 'pre',
  transform(code, id) {
    if (!MESSAGES.test(id)) return null;
    const texts = Object.entries(JSON.parse(code) as Record<string, string>);
    const compiled = texts.map(([key, text]) => [key, parse(text, { captureLocation: false })]);
    return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
  },
});
