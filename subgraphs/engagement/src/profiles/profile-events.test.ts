import { expect, test } from '@jest/globals';
import { catalogEvents, hasField } from '../events/catalog-events.ts';
import { rebuildEvents, recordEvents } from './profile-events.ts';

test('every event of the catalog that names a member says what of profiles it changes', () => {
  const naming = catalogEvents.filter((event) => hasField(event, 'memberId'));
  expect(naming.filter(({ type }) => !type.uses.changes).map(({ key }) => key)).toEqual([]);
});

test('every event of a record, and every end of an import of members or orders, changes profiles', () => {
  const keys = catalogEvents.map(({ key }) => key);
  expect(keys.filter((key) => key.startsWith('record.') && !recordEvents.has(key))).toEqual([]);
  const imports = keys.filter((key) => /^(members|orders)\.imported$/.test(key));
  expect(imports.filter((key) => !rebuildEvents.has(key))).toEqual([]);
  expect(imports).toHaveLength(2);
});
