import { INT32_MAX } from '@loyalty/platform/graph/scalars';
import type { Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { Schema } from '../openapi/openapi-schema.ts';
import { IDEMPOTENCY_KEY } from './tool-schema.ts';

/**
 * Returns a tool as `tools/list` shows it. A client sends the whole list to its model with every request, so
 * an entry has only what a caller needs to choose the tool and to write its arguments: of each description
 * the first sentence and the default, no schema of the result, no limits that follow from a type, and no
 * hints that are the defaults of the protocol. The resource `loyalty://tools/{name}` has everything.
 *
 * @param keepsNull - whether the tool reads null differently from an absent argument
 */
export function listedTool(
  { name, description = '', inputSchema, annotations }: ToolDefinition,
  { keepsNull }: { readonly keepsNull: boolean },
): ToolDefinition {
  return {
    name,
    description: shortText(description),
    inputSchema: shortened(inputSchema, keepsNull) as ToolDefinition['inputSchema'],
    annotations: shortHints(annotations ?? {}),
  };
}

/** Returns the hints that are not the defaults of the protocol. The hint about an open world is left out. */
function shortHints(hints: NonNullable<ToolDefinition['annotations']>): ToolDefinition['annotations'] {
  if (hints.readOnlyHint) return { readOnlyHint: true };
  return {
    ...(!hints.destructiveHint && { destructiveHint: false }),
    ...(hints.idempotentHint && { idempotentHint: true }),
  };
}

/** Arguments that the instructions of the server explain once for all tools. */
const commonArguments: Readonly<Record<string, (schema: Schema) => Schema>> = {
  limit: ({ type, maximum, default: rows }) => ({ type, maximum, default: rows }),
  offset: ({ type }) => ({ type }),
  [IDEMPOTENCY_KEY]: ({ type }) => ({ type }),
};

function shortened(schema: Schema, keepsNull: boolean): Schema {
  const { anyOf, ...beside } = schema;
  // An object that may be null: the first schema is the object.
  if (anyOf && !keepsNull) return shortened({ ...(anyOf as readonly Schema[])[0], ...beside }, keepsNull);
  const short: Record<string, (value: unknown) => unknown> = {
    properties: (value) =>
      mapped(value as Schema, (one, name) => commonArguments[name]?.(one) ?? shortened(one, keepsNull)),
    $defs: (value) => mapped(value as Schema, (one) => shortened(one, keepsNull)),
    items: (value) => shortened(value as Schema, keepsNull),
    description: (value) => shortText(String(value)),
    type: (value) => shortType(schema, [value].flat(), keepsNull),
    enum: (value) => (keepsNull ? value : (value as readonly unknown[]).filter((one) => one !== null)),
  };
  const kept = Object.entries(schema).filter(([keyword, value]) => !isImplied(schema, keyword, value));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, short[keyword]?.(value) ?? value]));
}

/** Returns the types without null, unless it has a meaning, and without the text form of large numbers. */
function shortType({ format }: Schema, types: readonly unknown[], keepsNull: boolean): unknown {
  const left = types.filter((type) => keepsNull || type !== 'null');
  const short = format === 'int64' ? left.filter((type) => type !== 'string') : left;
  return short.length === 1 ? short[0] : short;
}

/** Returns whether a keyword follows from the type, or is said in the instructions. */
function isImplied({ format }: Schema, keyword: string, value: unknown): boolean {
  if (keyword === 'additionalProperties') return value === false;
  if (format === 'int64') return ['format', 'minimum', 'maximum', 'pattern'].includes(keyword);
  if (format !== 'int32') return false;
  return keyword === 'format' || value === INT32_MAX || value === -INT32_MAX - 1;
}

/** Returns the first sentence of a text, and a further one that names the default. */
function shortText(text: string): string {
  const [first, ...others] = text.split(/(?<=\.)\s+(?=[A-Z`])/);
  return [first, ...others.filter((sentence) => sentence.startsWith('Default'))].join(' ');
}

const mapped = (schemas: Schema, map: (schema: Schema, name: string) => Schema): Schema =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, map(schema as Schema, name)]));
