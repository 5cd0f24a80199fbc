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

/** A resource that a tool reads. A URI with `{id}` is a template. */
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

/** The sources of the resources that clients can read. */
export interface ResourceSources {
  readonly tools: ReadonlyMap<string, Tool>;
  /** OpenAPI documents by name. They contain no data of a workspace. */
  readonly documents: Readonly<Record<string, unknown>>;
}

const toolFor = ({ tools }: ResourceSources, { tool }: ReadByTool, request: FastifyRequest): Tool | null => {
  const found = tools.get(tool);
  return found && found.endpoint.refusal(request) === null ? found : null;
};

const isTemplate = ({ uri }: ReadByTool): boolean => uri.includes('{');

/** Returns the resources with a fixed URI that the caller may read. */
export const resourcesFor = (sources: ResourceSources, request: FastifyRequest): Resource[] => [
  ...Object.keys(sources.documents).map((name) => ({
    uri: `${SCHEME}openapi/${name}`,
    name: `openapi-${name}`,
    description: `The OpenAPI document of the REST API ${name}.`,
    mimeType: JSON_TYPE,
  })),
  ...readByTools
    .filter((resource) => !isTemplate(resource) && toolFor(sources, resource, request))
    .map(({ uri, name, description }) => ({ uri, name, description, mimeType: JSON_TYPE })),
];

/** Returns the templates of resources with an id that the caller may read. */
export const templatesFor = (sources: ResourceSources, request: FastifyRequest): ResourceTemplateType[] =>
  readByTools
    .filter((resource) => isTemplate(resource) && toolFor(sources, resource, request))
    .map(({ uri, name, description }) => ({ uriTemplate: uri, name, description, mimeType: JSON_TYPE }));

/** @throws ProtocolError if the resource does not exist or the caller may not read it */
export async function readResource(
  { sources, graph }: { readonly sources: ResourceSources; readonly graph: GraphClient },
  request: FastifyRequest,
  uri: string,
): Promise<TextResourceContents> {
  request.operation = 'MCP resources/read';
  const [noun, id, ...more] = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length).split('/') : [];
  const text = (value: unknown) => ({ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) });
  if (noun === 'openapi' && id !== undefined && more.length === 0 && Object.hasOwn(sources.documents, id))
    return text(sources.documents[id]);
  const resource = readByTools.find((known) => known.uri === uri.replace(id ?? '', id ? '{id}' : ''));
  const tool = resource && toolFor(sources, resource, request);
  if (!tool || more.length > 0 || (id !== undefined && !isUuid(id))) throw new ResourceNotFoundError(uri);
  try {
    return text(await callTool({ tool, args: id === undefined ? {} : { id }, graph, request }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.category === 'NOT_FOUND') throw new ResourceNotFoundError(uri);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, { code: error.code });
  }
}
