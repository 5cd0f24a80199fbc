import type { FetchDataRewrite } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import type { Data } from '../run/plan-run.ts';
import { typesWithin } from './types.ts';

type Rewrite = (value: unknown) => void;

const FRAGMENT = '... on ';

/**
 * Compiles the plan's changes to data that is sent to or received from a subgraph; null if there are none.
 */
export function compileRewrites(
  rewrites: readonly FetchDataRewrite[] | undefined,
  schema: GraphQLSchema,
): Rewrite | null {
  if (!rewrites?.length) return null;
  const all = rewrites.map((rewrite) => compileRewrite(rewrite, schema));
  return (value) => {
    for (const rewrite of all) rewrite(value);
  };
}

function compileRewrite(rewrite: FetchDataRewrite, schema: GraphQLSchema): Rewrite {
  const field = rewrite.path.at(-1)!;
  const act = (object: Data): void => {
    if (rewrite.kind === 'ValueSetter') object[field] = rewrite.setValueTo;
    else if (object[field] !== undefined) {
      object[rewrite.renameKeyTo] = object[field];
      delete object[field];
    }
  };
  return rewrite.path.slice(0, -1).reduceRight<Rewrite>((next, element) => {
    if (!element.startsWith(FRAGMENT)) return eachObject((object) => next(object[element]));
    const types = typesWithin(schema, element.slice(FRAGMENT.length));
    return eachObject((object) => {
      const type = object['__typename'] as string | undefined;
      if (type === undefined || types.has(type)) next(object);
    });
  }, eachObject(act));
}

function eachObject(act: (object: Data) => void): Rewrite {
  const visit: Rewrite = (value) => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) act(value as Data);
  };
  return visit;
}
