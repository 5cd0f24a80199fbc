import { type DefaultTheme, defineConfig, type MarkdownOptions } from 'vitepress';
import { type SitePage, sidebarOf, sitePages, targetOf } from './pages.ts';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];

const pages = sitePages();
const sourceOf = new Map(pages.map(({ target, source }) => [target, source]));

/** The first page of a group, if there is one: groups of the head lead to it. */
const firstOf = (group: string): DefaultTheme.NavItemWithLink[] =>
  pages
    .filter((page) => page.group === group)
    .slice(0, 1)
    .map(({ path }) => ({ text: group, link: `/${path}`, activeMatch: `^/${path.split('/')[0]}/` }));

/** A part of the product that is no page of the site: the browser loads it. */
const loaded = (text: string, link: string): DefaultTheme.NavItemWithLink => ({
  text,
  link,
  target: '_self',
});

const references = [
  loaded('REST v2', '/rest'),
  loaded('REST v1', '/rest/v1'),
  loaded('GraphQL', '/graphql'),
  loaded('Errors', '/errors'),
  { text: 'Events', link: '/events' },
  { text: 'Settings', link: '/settings' },
  { text: 'Changelog', link: '/changelog' },
];

export default defineConfig({
  lang: 'en',
  title: 'Loyalty Platform',
  description: 'Documentation of the Loyalty Platform',
  base: '/docs/',
  cleanUrls: true,
  // The references follow the system, too.
  appearance: 'force-auto',
  metaChunk: true,
  vite: { esbuild: { tsconfigRaw: '{}' } },
  // A test finds dead links; a fault in a page must not keep the product from starting.
  ignoreDeadLinks: true,
  head: [['link', { rel: 'icon', href: '/docs/logo.svg' }]],
  markdown: {
    html: false,
    // Braces are parts of paths.
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { console: 'sh' },
    config(md) {
      useLinks(md);
      keepBraces(md);
    },
  },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      ...['Start', 'Concepts', 'Guides'].flatMap(firstOf),
      { text: 'References', items: references },
      // The head puts the base in front of links.
      loaded('Back office', '/../app/'),
    ],
    sidebar: sidebarOf(pages),
    outline: { level: 2 },
    search: { provider: 'local', options: { detailedView: false } },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});

/** The anchor of a heading, as GitHub and editors make it. */
function anchorOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Links lead to the pages that files have become, or are loaded by the browser, or are only text. */
function useLinks(md: Markdown): void {
  md.core.ruler.push('site-links', ({ tokens, env }) => {
    const source = sourceOf.get(env.relativePath);
    if (!source) return;
    const inner = tokens.flatMap(({ children }) => children ?? []);
    let isText = false;
    for (const token of inner) {
      if (token.type === 'link_close' && isText) {
        token.tag = 'span';
        isText = false;
      }
      if (token.type !== 'link_open') continue;
      const target = targetOf(String(token.attrGet('href')), source, pages as SitePage[]);
      if (target.kind === 'page') token.attrSet('href', target.href);
      if (target.kind === 'product') {
        token.attrSet('href', target.href);
        token.attrSet('target', '_self');
      }
      if (target.kind === 'repository') {
        isText = true;
        token.tag = 'span';
        token.attrs = [['target', '_self']];
      }
    }
  });
}

/** Double braces are text, not expressions of Vue. */
function keepBraces(md: Markdown): void {
  const { rules } = md.renderer;
  for (const name of ['text', 'code_inline'] as const) {
    const render = rules[name]!;
    rules[name] = (...given) => render(...given).replaceAll('{{', '&#123;&#123;');
  }
}
