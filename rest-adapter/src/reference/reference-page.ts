import type { Api } from '@loyalty/platform/http/api';
import { referenceHead } from '@loyalty/platform/http/reference-look/reference-head';
import type { OpenApiDocument } from '../openapi/openapi.ts';
import type { Schema } from '../openapi/openapi-schema.ts';
import { type DescribedOperation, operationsIn } from './described-operation.ts';
import { escapeHtml, inlineHtml, proseHtml } from './markup.ts';
import { operationHtml } from './operation-html.ts';
import { quickStartHtml } from './quick-start.ts';
import { schemaAnchor, schemaHtml } from './schema-html.ts';

/** The account that may be used by everybody who develops; null where there is none. */
export type DemoAccount = { readonly email: string; readonly password: string } | null;

/** The reference of one API: a whole page, which needs its script only to filter and to send calls. */
export function referencePage(
  api: Api,
  document: OpenApiDocument,
  { demo, address }: { readonly demo: DemoAccount; readonly address: string },
): string {
  const operations = operationsIn(document);
  const info = document.info as { readonly title: string; readonly version: string; description?: string };
  const tags = document.tags as readonly { readonly name: string; readonly description?: string }[];
  const groups = tags.map((tag) => ({
    ...tag,
    operations: operations.filter((one) => one.tag === tag.name),
  }));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} – reference</title>
<link rel="icon" href="/docs/logo.svg"><link rel="stylesheet" href="/docs/look.css">
<link rel="stylesheet" href="/docs/reference.css">
<script type="module" src="/docs/reference.js"></script></head>
<body><a class="skip" href="#content">To the content</a>
${referenceHead('REST')}
<div class="page columns">${sideHtml(groups)}
<main id="content" tabindex="-1">${apisHtml(api)}
<h1>${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></h1>
${api === 'v2' ? quickStartHtml(address) : ''}${tryItHtml(demo)}
<section id="rules" aria-labelledby="rules-title"><h2 id="rules-title">Rules of every call</h2>
${proseHtml(info.description ?? '')}</section>
${versionsHtml()}
${groups.map(groupHtml).join('')}${schemasHtml(document)}</main></div></body></html>`;
}

function apisHtml(api: Api): string {
  const link = (name: Api, href: string, text: string) =>
    `<a href="${href}"${name === api ? ' aria-current="page"' : ''}>${text}</a>`;
  return `<nav class="apis" aria-label="Versions">
${link('v2', '/docs', 'REST v2')}${link('v1', '/docs/v1', 'REST v1')}
<a href="/openapi/${api}.json">OpenAPI</a>
<a href="/openapi/${api}.postman.json">Postman</a></nav>`;
}

interface Group {
  readonly name: string;
  readonly description?: string;
  readonly operations: readonly DescribedOperation[];
}

const sideHtml = (groups: readonly Group[]): string =>
  `<nav class="side" aria-label="Contents"><label for="filter">Filter operations</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false"><p id="found" role="status"></p>
<ul>${groups.map(({ name }) => linkHtml(escapeHtml(name))).join('')}
<li><a href="#schemas">Schemas</a></li></ul></nav>`;

const linkHtml = (name: string): string => `<li><a href="#tag-${name}">${name}</a></li>`;

function groupHtml({ name, description, operations }: Group): string {
  const title = escapeHtml(name);
  const about = description ? `<p>${inlineHtml(description)}</p>` : '';
  return `<section class="group" aria-labelledby="tag-${title}"><h2 id="tag-${title}">${title}</h2>${about}
${operations.map(operationHtml).join('')}</section>`;
}

/** Where calls get their credential from. It is kept in the tab only. */
function tryItHtml(demo: DemoAccount): string {
  const account = demo
    ? ` data-email="${escapeHtml(demo.email)}" data-password="${escapeHtml(demo.password)}"`
    : '';
  const button = demo
    ? `<button type="button" id="demo"${account}>Make a test key in the demo workspace</button>`
    : '';
  return `<section id="try-it" aria-labelledby="try-it-title" hidden><h2 id="try-it-title">Try it</h2>
<p>Every operation below can be sent from this page. A test key sees and changes test data only.</p>
<label for="key">API key or session token</label>
<input id="key" type="password" autocomplete="off" spellcheck="false">${button}
<p id="key-status" role="status"></p></section>`;
}

function schemasHtml({ components }: OpenApiDocument): string {
  const schemas = Object.entries((components['schemas'] ?? {}) as Record<string, Schema>);
  const each = schemas.map(([name, schema]) => {
    const { description } = schema;
    const text = typeof description === 'string' ? `<p>${inlineHtml(description)}</p>` : '';
    return `<details class="operation" id="${schemaAnchor(name)}">
<summary><code>${escapeHtml(name)}</code></summary>
<div class="inside">${text}<div class="schema">${schemaHtml(schema)}</div></div></details>`;
  });
  return `<section id="schemas" aria-labelledby="schemas-title"><h2 id="schemas-title">Schemas</h2>
${each.join('')}</section>`;
}

/** How the APIs change, and how long what is deprecated goes on. */
const versionsHtml = (): string =>
  `<section id="versions" aria-labelledby="versions-title">
<h2 id="versions-title">Versions and deprecation</h2>
<p>The number in a path, such as <code>/api/v2</code>, changes only when clients must change. Within it,
only what clients can ignore is added: paths, optional parameters, fields of answers, codes of errors.
Write clients so that they ignore what they do not know.</p>
<p>What will end goes on for a year at least. Until then its answers carry <code>Deprecation</code>
(RFC 9745), <code>Sunset</code> (RFC 8594) with the day on which it ends, and <code>Link</code> to this text
and to what replaces it. The OpenAPI document marks it as <code>deprecated</code>. After that day it answers
410. In the graph, <code>@deprecated</code> says the same. Changes are listed in
<code>CHANGELOG.md</code>.</p></section>`;
