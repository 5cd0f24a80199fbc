import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, which has the Markdown. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A page of the site. */
export interface SitePage {
  /** The file below the root of the repository: `docs/start/till.md`. */
  readonly source: string;
  /** The file below the root of the site: `start/till.md`. */
  readonly target: string;
  /** Its address below `/docs/`: `start/till`; empty for the home page. */
  readonly path: string;
  readonly title: string;
  /** The first sentence, as plain text. */
  readonly summary: string;
  readonly group: string;
}

/** Markdown outside of `docs/` that is a page, too. */
const outside: Readonly<Record<string, string>> = {
  'deploy/README.md': 'operators-guide.md',
  'packages/client/README.md': 'typescript-client.md',
  'subgraphs/model/STANDARD-MODEL.md': 'standard-model.md',
  'CHANGELOG.md': 'changelog.md',
};

/**
 * The groups of the sidebar, each with the order of its pages; `*` has the pages of the folder of this name
 * that are not listed. Pages that no group takes are in the last one, so a new page needs no entry.
 */
const groups: readonly { readonly name: string; readonly pages: readonly string[] }[] = [
  {
    name: 'Start',
    pages: [
      ...['start/get-a-key', 'start/till', 'start/web-shop', 'start/marketer', 'start/data-scientist'],
      ...['start/operator', 'start/agent-engineer', 'start/*'],
    ],
  },
  {
    name: 'Concepts',
    pages: [
      ...['concepts/ledger', 'concepts/tiers', 'concepts/modules', 'concepts/live-and-test'],
      ...['concepts/credits', 'concepts/consent', 'concepts/*'],
    ],
  },
  {
    name: 'Guides',
    pages: [
      ...['guides/points-at-the-till', 'guides/webhooks', 'guides/imports', 'guides/segments-and-campaigns'],
      ...['guides/own-models', 'guides/mcp', 'guides/going-live', 'guides/idempotency-and-retries'],
      ...['guides/limits', 'guides/errors', 'guides/migrating', 'guides/upgrading'],
      ...['guides/backup-and-restore', 'guides/*'],
    ],
  },
  {
    name: 'Reference',
    pages: [
      ...['reference/ten-calls', 'reference/rest-paths', 'reference/error-reasons', 'reference/*', 'events'],
      ...['settings', 'operations/', 'typescript-client', 'standard-model', 'changelog'],
    ],
  },
  { name: 'Operation', pages: ['running', 'operators-guide'] },
  { name: 'Development', pages: ['development', 'decisions'] },
];

const read = (source: string): string => readFileSync(join(root, source), 'utf8');

/** The title, and the first sentence after it. */
function headOf(source: string): { title: string; summary: string } {
  const [, title = basename(source, '.md'), rest = ''] = /^# (.+)\n([\s\S]*)/m.exec(read(source)) ?? [];
  const paragraph = rest.split(/\n\s*\n/).find((part) => /^(?!```)[^\s|#:>![-]/.test(part.trim())) ?? '';
  const [sentence = ''] = /^.*?[.:](?=\s|$)/.exec(plain(paragraph)) ?? [plain(paragraph)];
  return { title: plain(title), summary: sentence.replace(/:$/, '.') };
}

const plain = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The address of a page below `/docs/`. */
const pathOf = (target: string): string => target.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '');

/** Every page, in the order of the sidebar; the home page is the first. */
export function sitePages(): SitePage[] {
  const files = globSync('docs/**/*.md', { cwd: root }).map((file) => file.split(sep).join('/'));
  const targets = [
    ...files.map((file) => [file, file.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md')]),
    ...Object.entries(outside).filter(([file]) => existsSync(join(root, file))),
  ] as [string, string][];
  const pages = targets.map(([source, target]) => {
    const path = pathOf(target);
    return { source, target, path, ...headOf(source), ...placeOf(path) };
  });
  return pages.sort((one, other) => one.place - other.place || one.path.localeCompare(other.path));
}

const places = groups.flatMap(({ name, pages }) => pages.map((path) => ({ group: name, path })));

/** The group of a page, and its place among all pages. */
function placeOf(path: string): { group: string; place: number } {
  if (path === '') return { group: '', place: -1 };
  const exact = places.findIndex((each) => each.path === path);
  const place = exact >= 0 ? exact : places.findIndex((each) => each.path === `${dirname(path)}/*`);
  return { group: places[place]?.group ?? groups.at(-1)!.name, place: place < 0 ? places.length : place };
}

/** The sidebar: every page but the home page, by group. */
export const sidebarOf = (pages: readonly SitePage[]) =>
  groups
    .map(({ name }) => ({
      text: name,
      items: pages
        .filter(({ group }) => group === name)
        .map(({ title, path }) => ({ text: title, link: `/${path}` })),
    }))
    .filter(({ items }) => items.length > 0);

/** Where a link leads. */
export type Target =
  /** To a page of the site: its address below `/docs`, such as `/start/till#receipts`. */
  | { readonly kind: 'page'; readonly href: string }
  /** To another part of the product or to a file of `docs`: the whole path. */
  | { readonly kind: 'product'; readonly href: string }
  /** To a file of the repository that the site does not have. */
  | { readonly kind: 'repository' }
  /** To another site, or within the page. */
  | { readonly kind: 'other' };

/** Where a link of a page leads. @param source - the page's file below the root of the repository */
export function targetOf(link: string, source: string, pages: readonly SitePage[]): Target {
  if (/^([a-z]+:|#|\/\/)/i.test(link)) return { kind: 'other' };
  if (link.startsWith('/')) return { kind: 'product', href: link };
  const [, file = '', hash = ''] = /^([^#]*)(#.*)?$/.exec(link) ?? [];
  const path = posix.join(posix.dirname(source), decodeURI(file)).replace(/\/$/, '');
  const page = pages.find((each) => each.source === path || each.source === `${path}/README.md`);
  if (page) return { kind: 'page', href: `/${page.path}${hash}` };
  if (isServedFile(path)) return { kind: 'product', href: `/${path}${hash}` };
  return { kind: 'repository' };
}

/** Files of `docs` that are served as they are: programs and documents, not the pictures of pages. */
const isServedFile = (path: string): boolean => /^docs\/.*\.(sh|graphql)$/.test(path);

export const servedFiles = (): string[] =>
  globSync('docs/**/*.{sh,graphql}', { cwd: root }).map((file) => file.split(sep).join('/'));

/** Pictures that pages show. */
export const pictures = (): string[] =>
  globSync('docs/**/*.{png,svg}', { cwd: root }).map((file) => file.split(sep).join('/'));
