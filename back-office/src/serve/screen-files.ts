import { readFileSync } from 'node:fs';

interface ScreenFiles {
  readonly path: string;
  readonly files: readonly string[];
}

/**
 * Reads the files of each screen, which `src/build/screen-files.ts` wrote.
 *
 * @returns a function that returns the preload elements for a path; empty for a path without a screen
 */
export function screenFiles(written: URL): (pathname: string) => string {
  const screens = JSON.parse(readFileSync(written, 'utf8')) as readonly ScreenFiles[];
  const known = screens.map(({ path, files }) => ({
    address: new RegExp(`^/app${path.replaceAll(/\$\w+/g, '[^/]+')}$`),
    links: files.map(linkTo).join(''),
  }));
  return (pathname) => known.find(({ address }) => address.test(pathname))?.links ?? '';
}

const linkTo = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/app/${file}">`
    : `<link rel="modulepreload" href="/app/${file}">`;
