import { dirname, posix } from 'node:path';

/** The folder of the package that a file belongs to: `platform`, `subgraphs/loyalty`; null for files of the root. */
export function packageOf(path: string): string | null {
  const [first = '', second = ''] = path.split('/');
  if (!path.includes('/') || first.startsWith('.') || first === 'scripts') return null;
  return first === 'subgraphs' ? `${first}/${second}` : first;
}

/** The noun of a subgraph that a file belongs to: its folder below `src`; null for files of `src` and elsewhere. */
export function nounOf(path: string): string | null {
  return /^subgraphs\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** What a file is for, by the last word of its name: `store` of `points.store.ts`; `module` for a plain file. */
export function roleOf(path: string): string {
  return /\.(test|fixture|store|service|resolvers|events|jobs)\.ts$/.exec(path)?.[1] ?? 'module';
}

/** The file that lists the settings. */
export const isConfig = (path: string): boolean => path === 'platform/src/config/config.ts';
export const isTypeScript = (path: string): boolean => /\.tsx?$/.test(path);
export const isCode = (path: string): boolean => /\.(ts|tsx|mjs)$/.test(path);
/** Tests, and what they start from. */
export const isTest = (path: string): boolean =>
  path.startsWith('test/') || ['test', 'fixture'].includes(roleOf(path));
/** What subgraphs ask of each other stands beside their SDL. */
export const isSdl = (path: string): boolean =>
  /^subgraphs\/[^/]+\/src\/(?!peers\.graphql$).*\.graphql$/.test(path);

/** The file of this repository that an import means; null for built-in and installed packages. */
export function resolveImport(importer: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(dirname(importer), specifier);
  if (specifier.startsWith('#generated/'))
    return `${packageOf(importer)}/generated/${specifier.slice(11)}.ts`;
  const [, name, file] = /^@loyalty\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  if (!name || !file) return null;
  const folder = name.endsWith('-subgraph') ? `subgraphs/${name.slice(0, -'-subgraph'.length)}` : name;
  return file.endsWith('.mjs') ? `${folder}/${file}` : `${folder}/src/${file}.ts`;
}
