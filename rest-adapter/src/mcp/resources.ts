import { AppError } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import {
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { GraphClient } from '../graph-client.ts';
import { callTool } from './call-tool.ts';
import type { Tool } from './tool.ts';

const JSON_TYPE = 'application/json';
const SCHEME = 'loyalty://';

/** A resource that a tool reads; `{id}` in the address makes it a template. */
interface ReadByTool {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly tool: string;
}

const readByTools: readonly ReadByTool[] = [
  {
    uri: `${SCHEME}events`,
    name: 'events',
    description: 'Every event that webhooks and live subscriptions can carry.',
    tool: 'events_list',
  },
  {
    uri: `${SCHEME}members/{id}`,
    name: 'member',
    description: 'One member.',
    tool: 'members_get',
  },
  {
    uri: `${SCHEME}campaigns/{id}`,
    name: 'campaign',
    description: 'One campaign.',
    tool: 'campaigns_get',
  },
];

/** What clients can read beside calling tools. */
export interface ResourceShelf {
  readonly tools: ReadonlyMap<string, Tool>;
  /** OpenAPI documents by name; they hold no data. */
  readonly documents: Readonly<Record<string, unknown>>;
}

const toolFor = ({ tools }: ResourceShelf, { tool }: ReadByTool, request: FastifyRequest): Tool | null => {
  const found = tools.get(tool);
  return found && found.endpoint.refusal(request) === null ? found : null;
};

const isTemplate = ({ uri }: ReadByTool): boolean => uri.includes('{');

/** The resources with an address of their own that the caller may read. */
export const resourcesFor = (shelf: ResourceShelf, request: FastifyRequest): Resource[] => [
  ...Object.keys(shelf.documents).map((name) => ({
    uri: `${SCHEME}openapi/${name}`,
    name: `openapi-${name}`,
    description: `The OpenAPI document of the REST API ${name}.`,
    mimeType: JSON_TYPE,
  })),
  ...readByTools
    .filter((resource) => !isTemplate(resource) && toolFor(shelf, resource, request))
    .map(({ uri, name, description }) => ({ uri, name, description, mimeType: JSON_TYPE })),
];

/** The resources that need an id. */
export const templatesFor = (shelf: ResourceShelf, request: FastifyRequest): ResourceTemplateType[] =>
  readByTools
    .filter((resource) => isTemplate(resource) && toolFor(shelf, resource, request))
    .map(({ uri, name, description }) => ({ uriTemplate: uri, name, description, mimeType: JSON_TYPE }));

/** @throws ProtocolError where there is no such resource for this caller */
export async function readResource(
  { shelf, graph }: { readonly shelf: ResourceShelf; readonly graph: GraphClient },
  request: FastifyRequest,
  uri: string,
): Promise<TextResourceContents> {
  request.operation = 'MCP resources/read';
  const [noun, id, ...more] = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length).split('/') : [];
  const text = (value: unknown) => ({ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) });
  if (noun === 'openapi' && id !== undefined && more.length === 0 && Object.hasOwn(shelf.documents, id))
    return text(shelf.documents[id]);
  const resource = readByTools.find((known) => known.uri === uri.replace(id ?? '', id ? '{id}' : ''));
  const tool = resource && toolFor(shelf, resource, request);
  if (!tool || more.length > 0 || (id !== undefined && !isUuid(id))) throw new ResourceNotFoundError(uri);
  try {
    return text(await callTool({ tool, args: id === undefined ? {} : { id }, graph, request }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.category === 'NOT_FOUND') throw new ResourceNotFoundError(uri);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, { code: error.code });
  }
}
