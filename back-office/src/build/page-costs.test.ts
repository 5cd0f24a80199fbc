import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { compileCost } from '@loyalty/gateway/operations/cost';
import { costModel } from '@loyalty/gateway/operations/cost-model';
import { apiSchemaOf, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import { documents } from './documents.ts';

/** The largest page size of the pager. */
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
