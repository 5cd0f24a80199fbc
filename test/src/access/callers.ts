import { anonymous, type Caller } from '@loyalty/platform/base/caller';
import type { Access } from '@loyalty/platform/identity/access';
import { scopesOfRole, v1Scopes, v2Scopes } from '@loyalty/workspace-subgraph/access/scopes';
import type { NamedCaller } from './walk.ts';

/** Every scope that a key may hold. */
export const scopes: readonly string[] = [...v2Scopes, ...v1Scopes];

/** Every module that some field requires. */
export const modulesOf = (access: ReadonlyMap<string, Access>): string[] => [
  ...new Set([...access.values()].flatMap(({ module }) => module ?? [])),
];

const key = (part: Partial<Caller>): Caller => ({
  ...anonymous,
  kind: 'KEY',
  workspaceId: 'w',
  modules: ['*'],
  ...part,
});

const without = (some: readonly string[]): string[] => scopes.filter((scope) => !some.includes(scope));

/**
 * The callers of the walk. There is a key without a scope, a key for each scope alone, a key for all scopes
 * but one, a key for all scopes but the alternatives that one field accepts, and a key for all modules but
 * one. There are also a user of the team, a member's session, a publishable key and an anonymous caller.
 */
export function callersFor(access: ReadonlyMap<string, Access>): NamedCaller[] {
  const alternatives = new Map(
    [...access.values()].map((asked) => [String(asked.scopes), asked.scopes.flat()]),
  );
  const modules = modulesOf(access);
  return [
    { name: 'no scope', caller: key({}) },
    ...scopes.map((scope) => ({ name: `${scope} alone`, caller: key({ scopes: [scope] }) })),
    ...scopes.map((scope) => ({ name: `all but ${scope}`, caller: key({ scopes: without([scope]) }) })),
    ...[...alternatives.values()].map((some) => ({
      name: `none of ${some.join(', ')}`,
      caller: key({ scopes: without(some) }),
    })),
    ...modules.map((module) => ({
      name: `all without the module ${module}`,
      caller: key({ scopes, modules: modules.filter((other) => other !== module) }),
    })),
    { name: 'staff', caller: key({ kind: 'USER', role: 'MEMBER', scopes: scopesOfRole('MEMBER') }) },
    { name: "a member's session", caller: key({ kind: 'MEMBER' }) },
    { name: 'a publishable key', caller: key({ kind: 'PUBLISHABLE', scopes: ['tracking:write'] }) },
    { name: 'nobody', caller: { ...anonymous, modules: ['*'] } },
  ];
}
