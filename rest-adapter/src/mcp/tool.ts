import { deepFreeze, memoize } from '@loyalty/platform/base/memoize';
import type { AccessMap } from '@loyalty/platform/identity/access';
import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { GraphQLSchema } from 'graphql';
import { textOf } from '../openapi/openapi-operation.ts';
import type { Example } from '../rows/example.ts';
import { type Endpoint, endpointOf, type RowContext } from '../table/endpoint.ts';
import type { Row, ToolOption } from '../table/row.ts';
import { listedTool } from './listed-tool.ts';
import { toolInput, toolOutput } from './tool-schema.ts';

/** A row of the REST table that AI agents can call by name. */
export interface Tool {
  readonly name: string;
  readonly option: ToolOption;
  readonly endpoint: Endpoint;
  /** Everything about the tool. */
  readonly definition: ToolDefinition;
  /** The tool in the reply to `tools/list`. */
  readonly listed: ToolDefinition;
}

type Examples = Readonly<Record<string, Example>>;
type ToolRow = Row & { readonly tool: ToolOption };

/**
 * Returns every row that has a `tool`, by tool name.
 *
 * @throws Error at start if two rows have the same tool name
 */
export const toolsOf = (
  rows: readonly Row[],
  { schema, access }: RowContext,
  examples: Examples,
): ReadonlyMap<string, Tool> => toolsOnce(rows, schema, access, examples);

const toolsOnce = memoize(
  (rows: readonly Row[], schema: GraphQLSchema, access: AccessMap, examples: Examples) => {
    const tools = new Map<string, Tool>();
    const named = rows.filter((row): row is ToolRow => row.tool !== undefined);
    for (const row of named.toSorted((one, other) => one.tool.name.localeCompare(other.tool.name))) {
      if (tools.has(row.tool.name)) throw new Error(`Two rows are the tool ${row.tool.name}.`);
      tools.set(row.tool.name, toolOf(row, { schema, access }, examples));
    }
    return tools;
  },
);

function toolOf(row: ToolRow, context: RowContext, examples: Examples): Tool {
  const endpoint = endpointOf(row, context);
  const { operation } = endpoint;
  const definition: ToolDefinition = deepFreeze({
    name: row.tool.name,
    title: titleOf(row.tool.name),
    description: examples[operation.name]?.about ?? textOf(operation, context.schema),
    inputSchema: toolInput(endpoint) as ToolDefinition['inputSchema'],
    outputSchema: toolOutput(endpoint, context.schema) as NonNullable<ToolDefinition['outputSchema']>,
    annotations: hintsOf(row),
  });
  // Where a PATCH changes an object, null clears a field.
  const listed = deepFreeze(listedTool(definition, { keepsNull: row.method === 'PATCH' }));
  return { name: row.tool.name, option: row.tool, endpoint, definition, listed };
}

/** `points_award` → `Points award`. */
const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
};

/** Returns hints for clients: whether to ask a person before a call, and whether a call may be repeated. */
const hintsOf = ({ method, tool = { name: '' } }: Row): ToolDefinition['annotations'] => {
  const readOnlyHint = method === 'GET' || tool.isReadOnly === true;
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && (method === 'DELETE' || tool.isDestructive === true),
    idempotentHint: readOnlyHint || method !== 'POST',
    openWorldHint: tool.isOpenWorld === true,
  };
};

/** Returns the result of a refused call. The agent reads the error and can correct the call. */
export const toolError = (error: Readonly<Record<string, unknown>>): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify({ error }) }],
});
