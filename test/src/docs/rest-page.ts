import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import { openApi } from '@loyalty/rest-adapter/openapi/openapi';
import { rows } from '@loyalty/rest-adapter/table/rows';
import { codes } from './markdown.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly 'x-required-scopes'?: readonly (readonly string[])[];
}

const { schema, access } = committedSupergraph();
const addresses = { v2: '/docs/rest', v1: '/docs/rest/v1' } as const;

function sectionOf(api: keyof typeof addresses): string {
  const { paths } = openApi(api, { rows, schema, access });
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => entryOf(api, method, path, operation as never)),
  );
  return `## REST ${api}\n\n${entries.join('\n\n')}`;
}

function entryOf(api: keyof typeof addresses, method: string, path: string, operation: Operation): string {
  const { operationId, summary, tags, 'x-required-scopes': scopes = [] } = operation;
  const needs = scopes.map(codes).join(' or ');
  const link = `[${operationId}](${addresses[api]}#tag/${tags[0]}/${operationId})`;
  return `### ${method.toUpperCase()} ${path}\n\n${summary}. ${needs && `Scopes: ${needs}. `}Reference: ${link}.`;
}

/** `docs/reference/rest-paths.md`, from the OpenAPI documents. */
export const restPage = `# REST paths

Here you find every path of both APIs, what it does and the scopes that a key needs for it. This page is
generated from the OpenAPI documents: \`npm run docs\` writes it, \`npm run check\` compares. The references
[of v2](/docs/rest) and [of v1](/docs/rest/v1) show parameters and answers, and send requests.

${sectionOf('v2')}

${sectionOf('v1')}
`;
