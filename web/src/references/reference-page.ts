import { readFileSync } from 'node:fs';
import { type Html, html, htmlPage } from '@loyalty/platform/base/html';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Colours, type and head of every page for programmers. */
export const referenceLook = read('look.css');
/** The files of the references, by their names under `/docs/`. */
export const referenceFiles = {
  'look.css': { type: 'text/css; charset=utf-8', content: referenceLook },
  'reference.css': { type: 'text/css; charset=utf-8', content: read('reference.css') },
  'reference.js': { type: 'text/javascript; charset=utf-8', content: read('reference.js') },
  'rest.css': { type: 'text/css; charset=utf-8', content: read('rest.css') },
  'rest.js': { type: 'text/javascript; charset=utf-8', content: read('rest.js') },
  'logo.svg': { type: 'image/svg+xml', content: read('logo.svg') },
} as const;

const sections = [
  { name: 'Documentation', href: '/docs/' },
  { name: 'REST', href: '/docs/rest' },
  { name: 'Schema', href: '/docs/graphql' },
  { name: 'Explorer', href: '/graphql' },
  { name: 'Back office', href: '/app/' },
] as const;

type Section = Exclude<(typeof sections)[number]['name'], 'Documentation' | 'Back office'>;

/** The head of a page for programmers: the mark, and the sections, of which one is the current one. */
export const referenceHead = (current: Section): Html => html`<header class="head">
<a class="brand" href="/docs/"><svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
<rect width="32" height="32" rx="8" fill="#1d4ed8"/>
<path d="M10 7v17h13" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>
<circle cx="21" cy="11" r="4" fill="#ffd166"/></svg>Loyalty Platform</a>
<nav aria-label="References">${sections.map(
  ({ name, href }) =>
    html`<a href="${href}"${name === current ? html` aria-current="true"` : null}>${name}</a>`,
)}</nav></header>\n`;

export const GRAPH_PAGE = { href: '/docs/graphql', name: 'GraphQL reference' } as const;
export const ERRORS_PAGE = { href: '/docs/errors', name: 'Errors' } as const;
const REST_PAGE = { href: '/docs/rest', name: 'REST reference' } as const;

/** Links to the references, and to the page itself. */
export const trail = (...pages: readonly { readonly href: string; readonly name: string }[]): Html =>
  html`<nav aria-label="Breadcrumb"><p>${[REST_PAGE, GRAPH_PAGE, ERRORS_PAGE, ...pages].map(
    ({ href, name }, index) => html`${index > 0 ? ' / ' : ''}<a href="${href}">${name}</a>`,
  )}</p></nav>`;

/** A field that hides the entries of its page which lack the words. Without a script it stays hidden. */
export const filterField: Html = html`<p id="filter" hidden>
<label for="words">Show what has the words</label>
<input id="words" type="search" autocomplete="off" spellcheck="false">
<span id="found" role="status"></span></p>`;

/** A text of the graph: what stands between backticks is code. */
export const described = (text: string | null | undefined): Html =>
  html`${(text ?? '')
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;

const HEAD = html`<link rel="icon" href="/docs/logo.svg">
<link rel="stylesheet" href="/docs/look.css">
<link rel="stylesheet" href="/docs/reference.css">
<script src="/docs/reference.js" defer></script>`;

/** A page of the graph or of the errors, whole. */
export const referencePage = (page: { readonly title: string; readonly body: Html }): string =>
  htmlPage({ ...page, head: HEAD, banner: referenceHead('Schema'), className: 'page reference' });
