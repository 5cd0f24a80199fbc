import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Data, Path } from '../run/plan-run.ts';
import type { Fragments } from './collect.ts';
import { type Writing, writeRoot } from './shape-writer.ts';
import { compileSource } from './source.ts';

/** A position at which an answer violates the schema, before errors of subgraphs are considered. */
export interface Violation {
  readonly message: string;
  readonly path: Path;
}

/** State of the generated shaping code. */
interface Shaping {
  readonly conditions: Readonly<Record<string, unknown>>;
  readonly introspection: Data;
  /** The current position; elements beyond the current depth may be old. */
  readonly path: (string | number)[];
  readonly violations: Violation[];
}

/** Converts merged raw data to the client's answer; null if a null propagated to the root. */
export type Shape = (
  data: Data,
  conditions: Shaping['conditions'],
  introspection: Data,
) => { data: Data | null; violations: Violation[] };

/** Generates the shaping code of one operation: exactly its fields, in order, with propagated nulls. */
export function compileShape(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  publicNames: ReadonlyMap<string, string>,
): Shape {
  const writing: Writing = { schema, fragments, publicNames, functions: [], sets: [], ids: new Map() };
  const root = writeRoot(writing, operation);
  const source = `${writing.functions.join('\n')}\nreturn ${root};`;
  const parts = { sets: writing.sets, missing, wrong, unknownType, isShallow };
  const shape = compileSource<(data: Data, shaping: Shaping) => Data | null>(source, parts);
  return (data, conditions, introspection) => {
    const violations: Violation[] = [];
    return { data: shape(data, { conditions, introspection, path: [], violations }), violations };
  };
}

function violate({ path, violations }: Shaping, depth: number, key: string | number, message: string): void {
  violations.push({ message, path: [...path.slice(0, depth), key] });
}

const missing = (shaping: Shaping, depth: number, key: string | number, field: string): void =>
  violate(shaping, depth, key, `Cannot return null for non-nullable field ${field}.`);

const wrong = (shaping: Shaping, depth: number, key: string | number, field: string): void =>
  violate(shaping, depth, key, `A subgraph answered a value that does not fit the type of ${field}.`);

/** Maximum depth of values; deeper ones could not be written as JSON. */
const DEPTH_MAX = 500;

function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === DEPTH_MAX) return false;
  for (const key in value) if (!isShallow((value as Data)[key], depth + 1)) return false;
  return true;
}

/** Answers an object of a type that clients do not know as null. */
function unknownType({ path, violations }: Shaping, depth: number): null {
  violations.push({
    message: 'A subgraph answered an object of a type that is not part of this graph.',
    path: path.slice(0, depth),
  });
  return null;
}
