import { type Html, html, htmlPage } from '@loyalty/platform/base/html';
import { referenceHead } from '@loyalty/platform/http/reference-look/reference-head';
import type { AccessMap } from '@loyalty/platform/identity/access';
import type { GraphQLSchema } from 'graphql';

/** A text of the graph: what stands between backticks is code. */
export const described = (text: string | null | undefined): Html =>
  html`${(text ?? '')
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;

/** The first sentence of a text of the graph. */
export const summary = (text: string | null | undefined): Html =>
  described((text ?? '').split(/(?<=[.:;])\s/, 1)[0]?.replace(/[:;]$/, '.'));

/** The graph as its pages show it. */
export interface ShownGraph {
  readonly schema: GraphQLSchema;
  readonly access: AccessMap;
}

/** The address of the page of a type. */
export const addressOfType = (name: string): string => `/docs/graphql/${name}`;

interface LinkedPage {
  readonly href: string;
  readonly name: string;
}

/** Where a page stands among the others. */
export const trail = (...links: readonly LinkedPage[]): Html =>
  html`<nav aria-label="Breadcrumb"><p>${links.map(
    ({ href, name }, index) => html`${index > 0 ? ' / ' : ''}<a href="${href}">${name}</a>`,
  )}</p></nav>`;

export const GRAPH_PAGE: LinkedPage = { href: '/docs/graphql', name: 'GraphQL reference' };
export const ERRORS_PAGE: LinkedPage = { href: '/docs/errors', name: 'Errors' };
export const REST_PAGE: LinkedPage = { href: '/docs', name: 'REST reference' };

/** A field that hides the entries of its page which lack the words. Without a script it stays hidden. */
export const filterField = (label: string): Html => html`<p id="filter" hidden>
<label for="words">${label}</label>
<input id="words" type="search" autocomplete="off" spellcheck="false">
<span id="found" role="status"></span></p>
<script src="/docs/graphql/filter.js" defer></script>`;

const STYLE: Html = {
  markup: `<style>
main { box-sizing: border-box; max-width: 60rem; padding: 1rem; }
li > a:only-child { display: inline-block; min-height: 1.5rem; min-width: 1.5rem; }
dl { display: grid; gap: 0.5rem 1rem; grid-template-columns: minmax(6rem, 28%) 1fr; }
dt { overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; }
small, small code { color: var(--muted); font-size: 0.75rem; }
</style>`,
};
const HEAD = html`<link rel="icon" href="data:,">
<link rel="stylesheet" href="${GRAPH_PAGE.href}/look.css">
${STYLE}`;
const BANNER: Html = { markup: `${referenceHead('Schema')}\n` };

/** A page of the reference, whole. */
export const referencePage = (page: { readonly title: string; readonly body: Html }): string =>
  htmlPage({ ...page, head: HEAD, banner: BANNER, className: 'page' });
