import { describe, expect, test } from '@jest/globals';
import { createGraph } from '@loyalty/gateway/graph';
import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import { anonymous, type Caller } from '@loyalty/platform/base/caller';
import { createLog } from '@loyalty/platform/observe/log';
import { print } from 'graphql';
import { type PermittedPerson, permittedParts, refusalFor } from '../../app/graph/permissions.ts';
import type { DocumentName } from '../../generated/demands.ts';
import { documents } from './documents.ts';

const graph = createGraph({
  supergraph: committedSupergraph(),
  transports: {},
  log: createLog({ level: 'silent', name: 'test' }),
});

const scopes = [
  [],
  ['*'],
  ['members:read'],
  ['members:read', 'members:write', 'orders:read', 'imports:write'],
];
const modules = [[], ['receipts'], ['*']];
const people = (['MEMBER', 'ADMIN', 'OWNER'] as const).flatMap((role) =>
  (['LIVE', 'TEST'] as const).flatMap((mode) =>
    scopes.flatMap((held) =>
      modules.map((on): PermittedPerson => ({ role, mode, scopes: held, modules: on })),
    ),
  ),
);

const callerOf = ({ role = null, ...rest }: PermittedPerson): Caller => ({
  ...anonymous,
  ...rest,
  kind: 'USER',
  workspaceId: 'w',
  actor: 'user:u',
  role,
});

describe('menus and buttons agree with what the gateway allows', () => {
  test.each(documents.map(({ name, document }) => [name, print(document)] as const))(
    'in %s',
    (name, query) => {
      for (const person of people) {
        const variables = permittedParts(person, name as DocumentName);
        const ours = refusalFor(person, name as DocumentName);
        const theirs = graph.refused({ query, variables }, callerOf(person));
        expect([person, ours?.code]).toEqual([person, theirs?.code]);
      }
    },
  );
});
