import { anonymous } from '@loyalty/platform/base/caller';
import type { AppError } from '@loyalty/platform/base/errors';
import type { Access, AccessMap } from '@loyalty/platform/identity/access';
import { refusal } from '@loyalty/platform/identity/refusal';
import type { FastifyRequest } from 'fastify';
import type { RowOperation } from './row-operation.ts';

/** Returns every different `@access` rule of an operation once. The caller must satisfy all of them. */
export const accessesOf = ({ fields }: RowOperation, access: AccessMap): readonly Access[] => [
  ...new Set(fields.flatMap((field) => access.get(field) ?? [])),
];

/**
 * Returns the error if the caller may not use a row, otherwise null. This is checked before the input is
 * read, so a refused caller sees no error about the input. An adapter in its own process knows only whether
 * the request has a credential; the gateway checks everything else.
 */
export function rowRefusal(request: FastifyRequest, accesses: readonly Access[]): AppError | null {
  const { authorization, 'x-api-key': apiKey, cookie } = request.headers;
  const caller = request.caller ?? (authorization || apiKey || cookie ? null : anonymous);
  if (!caller) return null;
  for (const access of accesses) {
    const refused = refusal(caller, access);
    if (refused) return refused;
  }
  return null;
}

/**
 * Returns lists of scopes. A key needs all scopes of at least one list. No list means that no scope is
 * needed.
 */
export function scopesOf(accesses: readonly Access[]): readonly (readonly string[])[] {
  let lists: string[][] = [[]];
  for (const { scopes } of accesses) {
    if (scopes.length === 0) continue;
    lists = withoutSupersets(
      lists.flatMap((held) => scopes.map((more) => [...new Set([...held, ...more])].sort())),
    );
  }
  return lists.filter((list) => list.length > 0);
}

/**
 * Removes lists that contain all scopes of another list; otherwise the number of lists would multiply with
 * every field.
 */
const withoutSupersets = (lists: string[][]): string[][] =>
  lists.filter(
    (list, index) => !lists.some((other, at) => at !== index && isSubset(other, list, at < index)),
  );

/**
 * Returns whether `more` contains every scope of `less`. Of two equal lists, only the earlier one counts as
 * `less`.
 */
const isSubset = (less: readonly string[], more: readonly string[], isEarlier: boolean): boolean =>
  less.every((scope) => more.includes(scope)) && (less.length < more.length || isEarlier);
