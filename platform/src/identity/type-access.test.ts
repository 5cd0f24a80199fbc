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

test('the access of another type stands wherever `as` names it, as if it were written there', () => {
  const sdl = `directive @access(scopes: [[String!]!], as: String) on FIELD_DEFINITION | OBJECT
    type Job @access(scopes: [["jobs:read"]]) { status: String }
    type Fault @access(as: "Job") { id: ID! row: Int }
    type Query { job: Job @access(as: "Job") }`;
  const access = '@access(scopes: [["jobs:read"]])';
  expect(expanded(sdl)).toBe(
    `directive @access(scopes: [[String!]!]) on FIELD_DEFINITION | OBJECT type Job { status: String ${access} } type Fault { id: ID! row: Int ${access} } type Query { job: Job ${access} }`,
  );
});

test('the access of a type that has none cannot be named', () => {
  expect(() => expanded('type Query { job: Int @access(as: "Job") }')).toThrow('@access(as: "Job")');
});
