import { describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { anonymous, type Caller, type Role, systemCaller } from '../base/caller.ts';
import { type Access, accessOf, rootFieldsWithoutAccess } from './access.ts';
import { refusal } from './refusal.ts';

const workspaceId = '019cadfd-8900-713f-9842-bfb3da1c5e4a';
const open: Access = { scopes: [], role: null, module: null, callers: ['key', 'user'], liveOnly: false };
const key = (part: Partial<Caller> = {}): Caller => ({
  ...anonymous,
  kind: 'KEY',
  workspaceId,
  actor: 'key:1',
  ...part,
});
const user = (role: Role | null, part: Partial<Caller> = {}): Caller =>
  key({ kind: 'USER', actor: 'user:1', scopes: ['*'], role, ...part });
const member = key({ kind: 'MEMBER', actor: 'member:1' });
const reason = (caller: Caller, part: Partial<Access>) => refusal(caller, { ...open, ...part })?.code ?? null;

describe('what @access declares', () => {
  const schema = buildSchema(`
    directive @access(
      scopes: [[String!]!], role: String, module: String, callers: [String!], liveOnly: Boolean
    ) on FIELD_DEFINITION
    type Query {
      plain: Int @access
      full: Int @access(
        scopes: [["a", "b"], ["c"]], role: "ADMIN", module: "location", callers: ["member"], liveOnly: true
      )
      forgotten: Int
      _service: Int
    }
    type Mutation { alsoForgotten: Int }
    type Subscription { ticked: Int @access }
  `);
  const field = (name: string) => schema.getQueryType()!.getFields()[name]!;

  test('is read with its defaults: keys and users, nothing else asked', () => {
    expect(accessOf(field('plain'))).toEqual(open);
  });

  test('is read whole', () => {
    const full = {
      scopes: [['a', 'b'], ['c']],
      role: 'ADMIN',
      module: 'location',
      callers: ['member'],
      liveOnly: true,
    };
    expect(accessOf(field('full'))).toEqual(full);
  });

  test("is missed on every root field that lacks it, federation's own apart", () => {
    expect(accessOf(field('forgotten'))).toBeNull();
    expect(rootFieldsWithoutAccess(schema)).toEqual(['Query.forgotten', 'Mutation.alsoForgotten']);
  });
});

describe('a caller', () => {
  test('without a credential is asked for one', () => {
    expect(refusal(anonymous, open)).toMatchObject({
      category: 'UNAUTHENTICATED',
      code: 'CREDENTIAL_MISSING',
    });
    expect(reason(anonymous, { callers: ['anonymous'] })).toBeNull();
  });

  test('of a kind that is not named is refused, and the error names which are', () => {
    expect(refusal(member, open)).toMatchObject({
      code: 'CALLER_REFUSED',
      message: 'This is not for a member: call it as key or user.',
    });
    expect(refusal(key(), { ...open, callers: ['member'] })).toMatchObject({
      category: 'UNAUTHENTICATED',
      code: 'MEMBER_SESSION_REQUIRED',
    });
    expect(reason(member, { callers: ['member'] })).toBeNull();
  });

  test.each([
    [['a', 'b'], null],
    [['c'], null],
    [['a', 'c'], null],
    [['*'], null],
    [['a'], 'SCOPE_MISSING'],
    [['b'], 'SCOPE_MISSING'],
    [[], 'SCOPE_MISSING'],
    [['A', 'B', 'cc', ''], 'SCOPE_MISSING'],
  ])('with the scopes %j of (a and b) or c: %s', (scopes, expected) => {
    expect(reason(key({ scopes }), { scopes: [['a', 'b'], ['c']] })).toBe(expected);
  });

  test('that holds no scopes, a member or nobody, needs none where the field names its kind', () => {
    const asked = { scopes: [['a']], callers: ['key', 'member', 'anonymous'] };
    expect(reason(member, asked)).toBeNull();
    expect(reason(anonymous, asked)).toBeNull();
    expect(reason(key(), asked)).toBe('SCOPE_MISSING');
    expect(reason(member, { ...asked, module: 'location' })).toBe('MODULE_DISABLED');
    expect(reason(member, { scopes: [['a']] })).toBe('CALLER_REFUSED');
  });

  test('gets the scopes that would do', () => {
    expect(refusal(key(), { ...open, scopes: [['a', 'b'], ['c']] })?.message).toBe(
      'This needs the scope a and b, or c.',
    );
  });

  test.each([
    ['OWNER', 'OWNER', null],
    ['ADMIN', 'OWNER', 'ROLE_REQUIRED'],
    ['MEMBER', 'OWNER', 'ROLE_REQUIRED'],
    ['OWNER', 'ADMIN', null],
    ['ADMIN', 'ADMIN', null],
    ['MEMBER', 'ADMIN', 'ROLE_REQUIRED'],
    ['MEMBER', 'MEMBER', null],
    [null, 'ADMIN', 'ROLE_REQUIRED'],
  ] as const)('who is a user with the role %s, where %s is needed: %s', (role, needed, expected) => {
    expect(reason(user(role), { role: needed })).toBe(expected);
  });

  test('that is a key needs the scope where there is one, and cannot do what only a role allows', () => {
    expect(
      reason(key({ scopes: ['stores:write'] }), { role: 'ADMIN', scopes: [['stores:write']] }),
    ).toBeNull();
    expect(reason(key({ scopes: ['*'] }), { role: 'OWNER' })).toBe('ROLE_REQUIRED');
  });

  test('reaches a module only when it is shown to be on', () => {
    expect(reason(key(), { module: 'location' })).toBe('MODULE_DISABLED');
    expect(reason(key({ modules: ['location'] }), { module: 'location' })).toBeNull();
    expect(reason(key({ modules: ['loc'] }), { module: 'location' })).toBe('MODULE_DISABLED');
  });

  test('in test mode changes nothing that live shares', () => {
    expect(reason(key({ mode: 'TEST' }), { liveOnly: true })).toBe('LIVE_ONLY');
    expect(reason(key({ mode: 'TEST' }), {})).toBeNull();
    expect(reason(key(), { liveOnly: true })).toBeNull();
  });

  test('that is the product itself may do everything', () => {
    const all = { scopes: [['x']], role: 'OWNER', module: 'y', callers: [], liveOnly: true } as const;
    expect(reason(systemCaller('test'), all)).toBeNull();
  });
});
