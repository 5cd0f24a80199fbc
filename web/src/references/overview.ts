import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type ListedPage, siteIndex } from '../site/site.ts';
import { addText } from './served-text.ts';

interface OverviewOptions {
  /** The public address of the product. */
  readonly address: string;
}

const changelog = new URL('../../../CHANGELOG.md', import.meta.url);

/**
 * Serves `/llms.txt`, an overview of the interfaces for language models (llmstxt.org), and `/CHANGELOG.md`.
 * They need no credential, because they hold no data.
 */
export async function overview(app: FastifyInstance, { address }: OverviewOptions): Promise<void> {
  addText(app, ['/llms.txt'], 'text/plain; charset=utf-8', () => overviewOf(address));
  addText(app, ['/CHANGELOG.md'], 'text/markdown; charset=utf-8', () => readFileSync(changelog, 'utf8'));
}

/** The pages of the site as Markdown, by group. */
const pagesOf = (address: string): string => {
  const pages = siteIndex().pages.filter(({ group }) => group !== '');
  return [...Map.groupBy(pages, ({ group }) => group)]
    .map(([group, listed]) => `## ${group}\n\n${listed.map((page) => lineOf(address, page)).join('\n')}\n`)
    .join('\n');
};

const lineOf = (address: string, { title, path, summary }: ListedPage): string => {
  const file = path.endsWith('/') ? `${path}index` : path;
  return `- [${title}](${address}/docs/${file}.md)${summary && `: ${summary.replace(/\.$/, '')}`}`;
};

const overviewOf = (address: string): string => `# Loyalty Platform

> A back end for loyalty programmes: members, points, tiers, coupons, receipts, stores, orders, segments,
> campaigns, journeys and webhooks, and a model service that predicts what members will do next. Every
> interface has the same data and the same permissions.

Send an API key as \`Authorization: Bearer <key>\`. A key has scopes and a mode: keys of the mode TEST read
and write only test data. Send an \`Idempotency-Key\` with each write, so that it can be repeated. Errors have
a reason, such as MEMBER_NOT_FOUND, which has a page of its own. The documentation is at
${address}/docs/; each of its pages is there as Markdown, too.

${pagesOf(address)}
## REST

- [Reference of v2](${address}/docs/rest): the loyalty platform, with a quick start
- [OpenAPI 3.1 of v2](${address}/openapi/v2.json): paths, parameters, answers and errors
- [Reference of v1](${address}/docs/rest/v1): the model of consumers
- [OpenAPI 3.1 of v1](${address}/openapi/v1.json)

## GraphQL

- [Reference](${address}/docs/graphql): every type and field; queries and mutations go to ${address}/graphql
- [Schema](${address}/docs/graphql/schema.graphql): SDL with descriptions

## Agents

- ${address}/mcp: the Model Context Protocol over Streamable HTTP; each REST operation is a tool

## Optional

- [Errors](${address}/docs/errors): every reason, its status and what to do
- [Changelog](${address}/CHANGELOG.md): what clients can notice, newest first
`;
