import type { ObjectFieldType, ObjectType } from '../object-types/object-types.service.ts';
import type { RecordData, RecordShape } from './object-records.store.ts';

const TEXTUAL: readonly ObjectFieldType[] = ['TEXT', 'ENUM', 'LIST', 'URL', 'EMAIL'];

/** The fields that sorting and search read. */
export const shapeOf = ({ id, fields }: ObjectType): RecordShape => ({
  objectTypeId: id,
  titleKey: fields.find(({ type }) => type === 'TEXT')?.key ?? null,
  textKeys: fields.filter(({ type }) => TEXTUAL.includes(type)).map(({ key }) => key),
});

/** Values of required fields for which nothing was sent. */
export const defaultsOf = ({ fields }: ObjectType): RecordData =>
  Object.fromEntries(
    fields
      .filter(({ isRequired, defaultValue }) => isRequired && defaultValue !== null)
      .map(({ key, defaultValue }) => [key, defaultValue]),
  );

/** Fields that refer to members. */
export const memberKeysOf = ({ fields }: ObjectType): readonly string[] =>
  fields.filter(({ type }) => type === 'MEMBER_REF').map(({ key }) => key);
