import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Html, html } from '@loyalty/platform/base/html';
import type { Api } from '@loyalty/platform/http/api';
import { hasEntityTag } from '@loyalty/platform/http/entity-tags';
import type { FastifyInstance } from 'fastify';
import { quickStart } from './quick-start.ts';
import { referenceFiles, referenceHead } from './reference-page.ts';
import {
  addText,
  referenceHeaders,
  referencePolicy,
  type ServedText,
  sendBuilt,
  servedText,
} from './served-text.ts';

/** An OpenAPI document. */
interface RestDocument {
  readonly info: { readonly [field: string]: unknown };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly servers?: unknown;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
}

interface Parameter {
  readonly required?: boolean;
  readonly schema?: { readonly enum?: readonly unknown[] };
  readonly examples?: unknown;
}

interface RestReferenceOptions {
  readonly documents: Readonly<Record<Api, RestDocument>>;
  /** The account that everybody who develops may use; null where there is none. */
  readonly demo: { readonly email: string; readonly password: string } | null;
  /** Where the examples of the quick start are sent. */
  readonly address: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

const built = fileURLToPath(new URL('../../generated/', import.meta.url));

/**
 * Scalar writes `style` elements and attributes, of which only some would take a nonce. Styles alone may be
 * inline here; scripts and everything else come from this origin.
 */
const restPolicy = referencePolicy({ 'style-src': "'self' 'unsafe-inline'" });

/**
 * Serves `/openapi/v2.json` and `/openapi/v1.json`, and at `/docs/rest` and `/docs/rest/v1` a reference of
 * each that works offline and can send requests to its own origin. They need no credential, because they hold
 * no data.
 */
export async function restReference(
  app: FastifyInstance,
  { documents, demo, address }: RestReferenceOptions,
): Promise<void> {
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ ...referenceHeaders, 'content-security-policy': restPolicy });
  });
  const script = addScalar(app);
  for (const api of ['v1', 'v2'] as const) {
    const shown = () => shownDocument(documents[api], api === 'v2' ? quickStart(address) : null);
    addDocument(app, api, documents[api]);
    addText(app, [`/docs/${api}.json`], JSON_TYPE, () => JSON.stringify(shown()));
  }
  const page = (api: Api) => () => restPage(api, script, demo !== null);
  addText(app, ['/docs/rest', '/docs/rest/'], 'text/html; charset=utf-8', page('v2'));
  addText(app, ['/docs/rest/v1'], 'text/html; charset=utf-8', page('v1'));
  app.get('/docs/v1', async (_, reply) => reply.redirect('/docs/rest/v1', 301));
  const account = demo && { email: demo.email, password: demo.password };
  addText(app, ['/docs/demo-account.json'], JSON_TYPE, () => JSON.stringify(account));
  for (const [name, { type, content }] of Object.entries(referenceFiles))
    addText(app, [`/docs/${name}`], type, () => content);
}

/** Serves the document for programs, unchanged. It is written at its first request. */
function addDocument(app: FastifyInstance, api: Api, document: RestDocument): void {
  let written: ServedText | undefined;
  app.get(`/openapi/${api}.json`, async ({ headers }, reply) => {
    written ??= servedText(JSON.stringify(document));
    const { text, etag } = written;
    reply.headers({ etag, 'cache-control': 'no-cache' });
    if (hasEntityTag(headers['if-none-match'], etag)) return reply.status(304).send();
    return reply.type(JSON_TYPE).send(text);
  });
}

/** Serves the script of Scalar. Its name has a hash, so that browsers keep it. Returns its address. */
function addScalar(app: FastifyInstance): string {
  const name = readdirSync(built).find((file) => file.endsWith('.js'));
  if (!name) throw new Error('The script of the reference is not generated. Run: npm run generate');
  app.get(`/docs/${name}`, async (request, reply) =>
    sendBuilt(request, reply, 'text/javascript; charset=utf-8', join(built, name), true),
  );
  return `/docs/${name}`;
}

/** The document as the page shows it: with the quick start, and calls that go to the page's own origin. */
function shownDocument(document: RestDocument, start: string | null): RestDocument {
  const { description } = document.info;
  const parts = [start, '# Rules of every call', description, VERSIONS].filter((part) => part != null);
  return {
    ...document,
    info: { ...document.info, description: parts.join('\n\n') },
    servers: [{ url: '/' }],
    paths: mapValues(document.paths, (path) => mapValues(path, withoutChoices)),
  };
}

const mapValues = <T, R>(values: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));

/** Scalar would send the first value of an optional parameter that has a list of values. */
const withoutChoices = (operation: Operation): Operation =>
  operation.parameters ? { ...operation, parameters: operation.parameters.map(withoutChoice) } : operation;

const withoutChoice = (parameter: Parameter): Parameter =>
  parameter.required || !parameter.schema?.enum
    ? parameter
    : { ...parameter, examples: { none: { value: '', 'x-disabled': true } } };

/** How the APIs change, and how long what is deprecated goes on. */
const VERSIONS = `# Versions

The number in a path, such as \`/api/v2\`, changes only when clients must change. Within it, only what
clients can ignore is added: paths, optional parameters, fields of answers, codes of errors. Write clients so
that they ignore what they do not know.

What will end goes on for a year at least. Until then its answers carry \`Deprecation\` (RFC 9745), \`Sunset\`
(RFC 8594) with the day on which it ends, and \`Link\` to this text and to what replaces it. The OpenAPI
document marks it as \`deprecated\`. After that day it answers 410. In the graph, \`@deprecated\` says the
same. Changes are listed in \`CHANGELOG.md\`.`;

function restPage(api: Api, script: string, hasDemo: boolean): string {
  const link = (name: Api, href: string, text: string): Html =>
    html`<a href="${href}"${name === api ? html` aria-current="page"` : null}>${text}</a>`;
  return `<!doctype html>\n${
    html`<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loyalty Platform API ${api} – reference</title>
<link rel="icon" href="/docs/logo.svg"><link rel="stylesheet" href="/docs/look.css">
<link rel="stylesheet" href="/docs/rest.css">
<link rel="preload" as="script" href="${script}">
<link rel="preload" as="fetch" crossorigin="anonymous" href="/docs/${api}.json">
<script type="module" src="/docs/rest.js"></script></head>
<body data-document="/docs/${api}.json" data-script="${script}">
${referenceHead('REST')}<div class="bar page"><nav aria-label="Versions">
${link('v2', '/docs/rest', 'REST v2')}${link('v1', '/docs/rest/v1', 'REST v1')}
<a href="/openapi/${api}.json">OpenAPI</a> <a href="/docs/errors">Errors</a></nav>
${hasDemo ? html`<button type="button" id="demo">Make a test key in the demo workspace</button>` : null}
<p id="key-status" role="status"></p></div>
<noscript><p class="page">This page needs JavaScript. <a href="/openapi/${api}.json">The OpenAPI
document</a> has all that it shows.</p></noscript>
<article id="reference"><p class="page">The reference is loading.</p></article></body></html>\n`.markup
  }`;
}
