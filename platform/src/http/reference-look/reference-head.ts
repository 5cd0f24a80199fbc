import { readFileSync } from 'node:fs';

/**
 * Colours, fonts and header of every page for programmers; each server of such a page serves this file, too.
 */
export const referenceLook = readFileSync(new URL('look.css', import.meta.url), 'utf8');

const sections = [
  { name: 'REST', href: '/docs' },
  { name: 'Schema', href: '/docs/graphql' },
  { name: 'Explorer', href: '/graphql' },
  { name: 'Back office', href: '/app/' },
] as const;

type Section = Exclude<(typeof sections)[number]['name'], 'Back office'>;

/** The header of a page for programmers: the logo, and the sections, of which one is the current one. */
export const referenceHead = (current: Section): string => `<header class="head">
<a class="brand" href="/docs"><svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
<rect width="32" height="32" rx="8" fill="#1d4ed8"/>
<path d="M10 7v17h13" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>
<circle cx="21" cy="11" r="4" fill="#ffd166"/></svg>Loyalty Platform</a>
<nav aria-label="References">${sections
  .map(({ name, href }) => `<a href="${href}"${name === current ? ' aria-current="true"' : ''}>${name}</a>`)
  .join('')}</nav></header>`;
