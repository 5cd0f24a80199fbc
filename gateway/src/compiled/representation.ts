import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { merge } from './merge.ts';
import type { Data } from './run.ts';
import { compileSource, literal, property } from './source.ts';
import { typesWithin } from './types.ts';

/** What a subgraph is told of an entity; null where the entity lacks a field that is required. */
export type BuildRepresentation = (entity: Data) => Data | null;

/**
 * Generates the builder of the representations that a fetch requires.
 *
 * @param schema - the full one, to know which types a fragment covers
 */
export function compileRepresentation(
  requires: readonly QueryPlanSelectionNode[],
  schema: GraphQLSchema,
): BuildRepresentation {
  const writer = new Writer(schema);
  const build = writer.object(requires);
  const source = `${writer.functions.join('\n')}
return (entity)=>{const r=${build}(entity,{});return r===null||r.__typename===undefined?null:r;};`;
  return compileSource(source, { sets: writer.sets, merge });
}

class Writer {
  readonly functions: string[] = [];
  readonly sets: ReadonlySet<string>[] = [];
  readonly #schema: GraphQLSchema;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** A function (source, target) → target with the fields that are selected, null where one is missing. */
  object(selections: readonly QueryPlanSelectionNode[]): string {
    const body = selections.map((selection) => this.selection(selection)).join('');
    return this.#define(`(x,r)`, `${body}return r;`);
  }

  selection(selection: QueryPlanSelectionNode): string {
    if (selection.kind === 'InlineFragment') {
      // A fragment that lacks a field leaves the others standing.
      const inner = this.object(selection.selections);
      const add = `const f=${inner}(x,{});if(f!==null)merge(r,f);`;
      if (!selection.typeCondition) return `{${add}}`;
      const set = this.sets.push(typesWithin(this.#schema, selection.typeCondition)) - 1;
      return `if(sets[${set}].has(x.__typename)){${add}}`;
    }
    // Subgraphs look for a field under its plain name, whatever it was called when it was fetched.
    const source = selection.alias ?? selection.name;
    const name = literal(selection.name);
    const value = selection.selections ? `${this.#value(selection.selections)}(v,r[${name}])` : 'v';
    return `{const v=${property('x', source)};if(v===undefined)return null;r[${name}]=${value};}`;
  }

  /** Objects, and lists of them; a null, or an object that lacks a field, stays null within. */
  #value(selections: readonly QueryPlanSelectionNode[]): string {
    const build = this.object(selections);
    const known = '!Array.isArray(p)&&p!==null&&typeof p==="object"';
    const name = `f${this.functions.length}`;
    return this.#define(
      `(v,p)`,
      `if(v===null)return null;
if(Array.isArray(v))return v.map((e,i)=>${name}(e,Array.isArray(p)?p[i]:undefined));
return ${build}(v,${known}?p:{});`,
    );
  }

  #define(parameters: string, body: string): string {
    const name = `f${this.functions.length}`;
    this.functions.push(`const ${name}=${parameters}=>{${body}};`);
    return name;
  }
}
