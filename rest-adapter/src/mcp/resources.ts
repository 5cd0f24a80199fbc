import { type ErrorCategory, errorReasons } from '@loyalty/platform/base/error-reasons';
import { AppError, httpStatusOf } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { memoize } from '@loyalty/platform/base/memoize';
import { enumDescription } from '@loyalty/platform/graph/enum-description';
import {
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { type GraphQLSchema, printSchema, printType } from 'graphql';
import type { GraphClient } from '../graph-client.ts';
import { callTool } from './call-tool.ts';
import type { Tool } from './tool.ts';

const JSON_TYPE = 'application/json';
const SDL_TYPE = 'text/plain';
const SCHEME = 'loyalty://';

/** The sources of the resources that clients can read. */
export interface ResourceSources {
  readonly tools: ReadonlyMap<string, Tool>;
  /** OpenAPI documents by name. */
  readonly documents: Readonly<Record<'v1' | 'v2', unknown>>;
  /** The schema that clients of the graph see. */
  readonly schema: GraphQLSchema;
}

/** A resource that is the same for every caller, because it contains no data of a workspace. */
interface SharedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly text: (sources: ResourceSources) => string;
}

const sharedResources: readonly SharedResource[] = [
  ...(['v1', 'v2'] as const).map((api) => ({
    uri: `${SCHEME}openapi/${api}`,
    name: `openapi-${api}`,
    description: `The OpenAPI document of the REST API ${api}.`,
    mimeType: JSON_TYPE,
    text: ({ documents }: ResourceSources) => JSON.stringify(documents[api]),
  })),
  {
    uri: `${SCHEME}reasons`,
    name: 'reasons',
    description: 'Every code of an error: its category, its status over REST and what it means.',
    mimeType: JSON_TYPE,
    text: ({ schema }) => JSON.stringify(reasonsOf(schema)),
  },
  {
    uri: `${SCHEME}schema`,
    name: 'schema',
    description: `The whole graph in SDL, about 450 kB. One type is shorter: ${SCHEME}schema/{name}.`,
    mimeType: SDL_TYPE,
    text: ({ schema }) => sdlOf(schema),
  },
];

const reasonsOf = memoize((schema: GraphQLSchema) =>
  (Object.keys(errorReasons) as ErrorCategory[]).flatMap((category) =>
    errorReasons[category].map((code) => ({
      code,
      category,
      status: httpStatusOf({ category, code }),
      meaning: enumDescription(schema, 'ErrorReason', code),
    })),
  ),
);

const sdlOf = memoize(printSchema);

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

/** Templates whose resources are the same for every caller who may see them. */
const sharedTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: `${SCHEME}tools/{name}`,
    name: 'tool',
    description:
      'One tool with its whole description, the limits of its arguments and the schema of its result.',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${SCHEME}schema/{name}`,
    name: 'type',
    description: 'One type of the graph in SDL. Begin with Query, Mutation or Subscription.',
    mimeType: SDL_TYPE,
  },
];

const visible = (tool: Tool | undefined, request: FastifyRequest): Tool | null =>
  tool && tool.endpoint.refusal(request) === null ? tool : null;

const isTemplate = ({ uri }: ReadByTool): boolean => uri.includes('{');

/** Returns the resources with a fixed URI that the caller may read. */
export const resourcesFor = ({ tools }: ResourceSources, request: FastifyRequest): Resource[] => [
  ...sharedResources.map(({ uri, name, description, mimeType }) => ({ uri, name, description, mimeType })),
  ...readByTools
    .filter((resource) => !isTemplate(resource) && visible(tools.get(resource.tool), request))
    .map(({ uri, name, description }) => ({ uri, name, description, mimeType: JSON_TYPE })),
];

/** Returns the templates of resources with a name or an id that the caller may read. */
export const templatesFor = ({ tools }: ResourceSources, request: FastifyRequest): ResourceTemplateType[] => [
  ...sharedTemplates,
  ...readByTools
    .filter((resource) => isTemplate(resource) && visible(tools.get(resource.tool), request))
    .map(({ uri, name, description }) => ({ uriTemplate: uri, name, description, mimeType: JSON_TYPE })),
];

/** @throws ProtocolError if the resource does not exist or the caller may not read it */
export async function readResource(
  { sources, graph }: { readonly sources: ResourceSources; readonly graph: GraphClient },
  request: FastifyRequest,
  uri: string,
): Promise<TextResourceContents> {
  request.operation = 'MCP resources/read';
  const shared = sharedContents(sources, request, uri);
  return shared ? { uri, ...shared } : readByTool({ sources, graph }, request, uri);
}

/** Returns the text of a resource that contains no data of a workspace, or null. */
function sharedContents(
  sources: ResourceSources,
  request: FastifyRequest,
  uri: string,
): Pick<TextResourceContents, 'mimeType' | 'text'> | null {
  const known = sharedResources.find((resource) => resource.uri === uri);
  if (known) return { mimeType: known.mimeType, text: known.text(sources) };
  const [, noun, name] = /^loyalty:\/\/(tools|schema)\/(\w+)$/.exec(uri) ?? [];
  if (name === undefined) return null;
  if (noun === 'tools') {
    const tool = visible(sources.tools.get(name), request);
    return tool && { mimeType: JSON_TYPE, text: JSON.stringify(tool.definition) };
  }
  const type = sources.schema.getType(name);
  return type ? { mimeType: SDL_TYPE, text: printType(type) } : null;
}

async function readByTool(
  { sources, graph }: { readonly sources: ResourceSources; readonly graph: GraphClient },
  request: FastifyRequest,
  uri: string,
): Promise<TextResourceContents> {
  const [, id, ...more] = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length).split('/') : [];
  const resource = readByTools.find((known) => known.uri === uri.replace(id ?? '', id ? '{id}' : ''));
  const tool = resource && visible(sources.tools.get(resource.tool), request);
  if (!tool || more.length > 0 || (id !== undefined && !isUuid(id))) throw new ResourceNotFoundError(uri);
  try {
    const reply = await callTool({ tool, args: id === undefined ? {} : { id }, graph, request });
    return { uri, mimeType: JSON_TYPE, text: JSON.stringify(reply) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.category === 'NOT_FOUND') throw new ResourceNotFoundError(uri);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, { code: error.code });
  }
}
