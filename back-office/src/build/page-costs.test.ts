import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { compileCost } from '@loyalty/gateway/cost/cost';
import { costModel } from '@loyalty/gateway/cost/cost-model';
import { apiSchemaOf } from '@loyalty/gateway/supergraph/api-schema';
import { supergraphFile } from '@loyalty/gateway/supergraph/supergraph-file';
import { documents } from './documents.ts';

/** What the pager of a table offers at most. */
const ROWS_MAX = 200;

const sdl = readFileSync(supergraphFile, 'utf8');
const [schema, model] = [apiSchemaOf(sdl), costModel(sdl)];
const lists = documents.filter(({ operation: { variableDefinitions = [] } }) =>
  variableDefinitions.some(({ variable }) => variable.name.value === 'before'),
);

test.each(lists.map(({ name, ...of }) => [name, of] as const))(
  'the gateway answers the largest page of %s',
  (_, { document, operation }) => {
    const cost = compileCost(schema, model, document, operation);
    expect(cost.refusal({ first: ROWS_MAX })?.message).toBeUndefined();
  },
);
