import { expect, test } from '@jest/globals';
import { importKinds } from '@loyalty/loyalty-subgraph/imports/import-kinds';
import { loyalty } from '@loyalty/loyalty-subgraph/subgraph';
import { type Access, accessOf } from '@loyalty/platform/identity/access';

const nouns = Object.values(importKinds).map(({ scope }) => scope);
const write = ['imports:write', ...nouns.map((noun) => `${noun}:write`)];
const read = [...write, ...nouns.map((noun) => `${noun}:read`)];

const fieldsOf = (name: string) => {
  const type = loyalty.schema.getType(name);
  return Object.values(type && 'getFields' in type ? type.getFields() : {});
};
const scopesOf = (access: Access | null) => access?.scopes.flat().toSorted();
/**
 * Fields with rules of their own: everybody may read the id, and administrators may read who requested the
 * import.
 */
const OWN_RULE = ['id', 'requestedBy'];
const scopesOfTypes = (types: readonly string[]) =>
  types.flatMap((type) =>
    fieldsOf(type)
      .filter(({ name }) => !OWN_RULE.includes(name))
      .map((field) => scopesOf(accessOf(field as never))),
  );
const scopesOfRoot = (root: string, name: string) =>
  scopesOf(accessOf(fieldsOf(root).find((field) => field.name === name) as never));

test('the SDL asks for the scopes of every kind to read imports', () => {
  const asked = [
    ...scopesOfTypes(['ImportJob', 'ImportIssue']),
    scopesOfRoot('Query', 'import'),
    scopesOfRoot('Query', 'imports'),
    scopesOfRoot('Subscription', 'importProgress'),
  ];
  expect(asked.length).toBeGreaterThan(15);
  for (const scopes of asked) expect(scopes).toEqual(read.toSorted());
});

test('the SDL asks for the scopes of every kind to write imports', () => {
  const mutations = ['appendImport', 'remapImport', 'startImport', 'retryImport', 'cancelImport'];
  const asked = [
    ...scopesOfTypes(['ImportPreview', 'ImportColumn', 'ImportPreviewRow', 'ImportField', 'ImportFaultyRow']),
    ...['previewImport', 'importFields', 'importFaultyRows'].map((name) => scopesOfRoot('Query', name)),
    ...mutations.map((name) => scopesOfRoot('Mutation', name)),
  ];
  expect(asked.length).toBeGreaterThan(10);
  for (const scopes of asked) expect(scopes).toEqual(write.toSorted());
});

test.each([
  ['MEMBERS', 'createMemberImport'],
  ['ORDERS', 'createOrderImport'],
  ['CATALOG', 'createCatalogImport'],
] as const)('the SDL asks for the scopes of %s to create such an import', (kind, mutation) => {
  const expected = ['imports:write', `${importKinds[kind].scope}:write`];
  expect(scopesOfRoot('Mutation', mutation)).toEqual(expected.toSorted());
});
