import { dirname, posix } from 'node:path';

/**
 * The folder of the package of a file, such as `platform` or `subgraphs/loyalty`; null for files outside of
 * packages.
 */
export function packageOf(path: string): string | null {
  const [first = '', second = ''] = path.split('/');
  if (!path.includes('/') || first.startsWith('.') || first === 'scripts') return null;
  return first === 'subgraphs' ? `${first}/${second}` : first;
}

/**
 * The noun of a file of a subgraph: its folder below `src`; null for files directly in `src` and for other
 * files.
 */
export function nounOf(path: string): string | null {
  return /^subgraphs\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/**
 * The role of a file, from the end of its name: `store` for `points.store.ts`; `module` for a file without a
 * role.
 */
export function roleOf(path: string): string {
  return /\.(test|fixture|store|service|resolvers|events|jobs)\.ts$/.exec(path)?.[1] ?? 'module';
}

/** The file that lists the settings. */
export const isConfig = (path: string): boolean => path === 'platform/src/config/config.ts';
export const isTypeScript = (path: string): boolean => /\.tsx?$/.test(path);
export const isCode = (path: string): boolean => /\.(ts|tsx|mjs)$/.test(path);
/** Whether the file is a test or a fixture. */
export const isTest = (path: string): boolean =>
  path.startsWith('test/') || ['test', 'fixture'].includes(roleOf(path));
/**
 * Whether the file is SDL of a subgraph. `peers.graphql` is not: it has the questions of subgraphs to each
 * other.
 */
export const isSdl = (path: string): boolean =>
  /^subgraphs\/[^/]+\/src\/(?!peers\.graphql$).*\.graphql$/.test(path);

/** Resolves an import to a file of this repository; null for built-in and installed packages. */
export function resolveImport(importer: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(dirname(importer), specifier);
  if (specifier.startsWith('#generated/'))
    return `${packageOf(importer)}/generated/${specifier.slice(11)}.ts`;
  const [, name, file] = /^@loyalty\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  if (!name || !file) return null;
  const folder = name.endsWith('-subgraph') ? `subgraphs/${name.slice(0, -'-subgraph'.length)}` : name;
  return file.endsWith('.mjs') ? `${folder}/${file}` : `${folder}/src/${file}.ts`;
}
