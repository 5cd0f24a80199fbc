import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { merge } from '../run/data.ts';
import type { Data } from '../run/plan-run.ts';
import { compileSource, literal, property } from './source.ts';
import { typesWithin } from './types.ts';

/** Builds the representation of an entity for a subgraph; null if a required field is missing. */
export type BuildRepresentation = (entity: Data) => Data | null;

/**
 * Generates code that builds the representations for a fetch.
 *
 * @param schema - the full schema, for the types that a fragment covers
 */
export function compileRepresentation(
  requires: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
): BuildRepresentation {
  const source: Source = { functions: [], sets: [], schema };
  const build = writeObject(requires, source);
  const text = `${source.functions.join('\n')}
return (entity)=>{const r=${build}(entity,{});return r===null||r.__typename===undefined?null:r;};`;
  return compileSource(text, { sets: source.sets, merge });
}

/** The generated functions so far, and the sets of type names that they use. */
interface Source {
  readonly functions: string[];
  readonly sets: ReadonlySet<string>[];
  readonly schema: GraphQLSchema;
}

/**
 * Writes a function (source, target) → target, which copies the selected fields; it returns null if one is
 * missing.
 */
function writeObject(selections: readonly QueryPlanSelectionNode[], source: Source): string {
  const body = selections.map((selection) => selectionOf(selection, source)).join('');
  return define(source, `(x,r)`, `${body}return r;`);
}

function selectionOf(selection: QueryPlanSelectionNode, source: Source): string {
  if (selection.kind === 'InlineFragment') {
    // A fragment with a missing field is omitted; the other selections stay.
    const inner = writeObject(selection.selections, source);
    const add = `const f=${inner}(x,{});if(f!==null)merge(r,f);`;
    if (!selection.typeCondition) return `{${add}}`;
    const set = source.sets.push(typesWithin(source.schema, selection.typeCondition)) - 1;
    return `if(sets[${set}].has(x.__typename)){${add}}`;
  }
  // Subgraphs expect a field under its own name, even if it was fetched under an alias.
  const read = property('x', selection.alias ?? selection.name);
  const name = literal(selection.name);
  const value = selection.selections ? `${writeValue(selection.selections, source)}(v,r[${name}])` : 'v';
  return `{const v=${read};if(v===undefined)return null;r[${name}]=${value};}`;
}

/**
 * Writes the copy of objects and lists of objects. Null, and an object with a missing field, becomes null
 * within.
 */
function writeValue(selections: readonly QueryPlanSelectionNode[], source: Source): string {
  const build = writeObject(selections, source);
  const known = '!Array.isArray(p)&&p!==null&&typeof p==="object"';
  const name = `f${source.functions.length}`;
  return define(
    source,
    `(v,p)`,
    `if(v===null)return null;
if(Array.isArray(v))return v.map((e,i)=>${name}(e,Array.isArray(p)?p[i]:undefined));
return ${build}(v,${known}?p:{});`,
  );
}

function define({ functions }: Source, parameters: string, body: string): string {
  const name = `f${functions.length}`;
  functions.push(`const ${name}=${parameters}=>{${body}};`);
  return name;
}
