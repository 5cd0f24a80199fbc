import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { accessMap, apiSchemaOf, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import { getNamedType, isObjectType } from 'graphql';

const sdl = readFileSync(supergraphFile, 'utf8');
const access = accessMap(sdl);

/**
 * Fields that show names of team members to that person alone, or to colleagues because the field is about
 * the team.
 */
const ofTheTeam: Readonly<Record<string, readonly string[]>> = {
  'Query.profile': ['user'],
  'Mutation.updateProfile': ['user'],
  'Mutation.register': ['anonymous', 'user'],
  'TeamMember.user': ['user'],
  // The field is null unless the caller is the user.
  'Viewer.user': ['key', 'user', 'member'],
};

const fieldsOfUsers = Object.values(apiSchemaOf(sdl).getTypeMap())
  .filter(isObjectType)
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => getNamedType(field.type).name === 'User')
      .map((field) => `${type.name}.${field.name}`),
  );

test('the graph has fields that show people of the team, and each listed exception is one of them', () => {
  expect(fieldsOfUsers).toEqual(expect.arrayContaining(Object.keys(ofTheTeam)));
  expect(fieldsOfUsers.length).toBeGreaterThan(15);
});

test.each(fieldsOfUsers)('%s shows names of the team only to its administrators', (field) => {
  const { callers, role } = access.get(field)!;
  const allowed = ofTheTeam[field];
  if (allowed) expect([...callers].toSorted()).toEqual([...allowed].toSorted());
  else expect({ callers, role }).toEqual({ callers: ['user'], role: 'ADMIN' });
});
