import { readFileSync } from 'node:fs';
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
