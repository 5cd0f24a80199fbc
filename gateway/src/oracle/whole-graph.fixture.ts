import { execute, type GraphQLFieldResolver, type ResponsePath } from 'graphql';
import { type ExecuteCase, failuresOf, thrown } from './case.fixture.ts';
import { canonical } from './hash.fixture.ts';
import type { Thing } from './thing.fixture.ts';

/** Plain graphql-js on the client's schema, without federation: the right result as long as nothing fails. */
export const wholeGraph: ExecuteCase = async ({ supergraph, data: facts }, operation) => {
  const mutations: string[] = [];
  const idents = new Map<string, string>();
  const fieldResolver: GraphQLFieldResolver<Thing | undefined, unknown> = (source, args, _, info) => {
    const parent = source ?? { __typename: info.parentType.name, ident: info.parentType.name };
    if (source) idents.set(pathText(info.path.prev), source.ident);
    if (info.operation.operation === 'mutation' && !source) {
      mutations.push(`${info.fieldName} ${canonical(args)}`);
    }
    return facts.fieldValue(parent, info.fieldName, args);
  };
  try {
    const { data, errors } = await execute({
      schema: supergraph.schema,
      document: operation.document,
      operationName: operation.operationName,
      variableValues: operation.variables,
      fieldResolver,
    });
    const plain = JSON.parse(JSON.stringify({ data }));
    return { data: plain.data, errors: failuresOf(errors), violations: [], mutations, invalid: [], idents };
  } catch (error) {
    return thrown(error);
  }
};

const pathText = (path: ResponsePath | undefined): string => {
  if (!path) return '';
  return path.prev ? `${pathText(path.prev)}.${path.key}` : String(path.key);
};
