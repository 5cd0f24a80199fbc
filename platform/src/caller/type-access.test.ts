import { expect, test } from '@jest/globals';
import { parse, print } from 'graphql';
import { withFieldAccess } from './type-access.ts';

const expanded = (sdl: string): string => print(withFieldAccess(parse(sdl))).replace(/\s+/g, ' ');

test('the access of a type stands on each of its fields that has none of its own, ids apart', () => {
  const sdl = `type Note @key(fields: "id") @access(scopes: [["notes:read"]]) {
    id: ID! text: String! secret: String @access(role: "OWNER") }`;
  expect(expanded(sdl)).toBe(
    'type Note @key(fields: "id") { id: ID! text: String! @access(scopes: [["notes:read"]]) secret: String @access(role: "OWNER") }',
  );
});

test('an extension speaks for the fields that are written in it, and leaves those of others alone', () => {
  const sdl = `extend type Note @access(scopes: [["tags:read"]]) { tags: [String!]! index: String @external }
    extend type Note { plain: String }`;
  expect(expanded(sdl)).toBe(
    'extend type Note { tags: [String!]! @access(scopes: [["tags:read"]]) index: String @external } extend type Note { plain: String }',
  );
});

test('a type without access stays as it is', () => {
  const document = parse('type Page { size: Int } enum Color { RED }');
  expect(withFieldAccess(document)).toEqual(document);
});
