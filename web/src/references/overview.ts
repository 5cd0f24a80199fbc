import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
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

const overviewOf = (address: string): string => `# Loyalty Platform

> A back end for loyalty programmes: members, points, tiers, coupons, receipts, stores, orders, segments,
> campaigns, journeys and webhooks, and a model service that predicts what members will do next. Every
> interface has the same data and the same permissions.

Send an API key as \`Authorization: Bearer <key>\`. A key has scopes and a mode: keys of the mode TEST read
and write only test data. Send an \`Idempotency-Key\` with each write, so that it can be repeated. Errors have
a reason, such as MEMBER_NOT_FOUND, which has a page of its own.

## REST

- [Reference of v2](${address}/docs): the loyalty platform, with a quick start
- [OpenAPI 3.1 of v2](${address}/openapi/v2.json): paths, parameters, answers and errors
- [Reference of v1](${address}/docs/v1): the model of consumers
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
