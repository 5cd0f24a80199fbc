import { anonymous } from '@loyalty/platform/base/caller';
import type { AppError } from '@loyalty/platform/base/errors';
import type { Access, AccessMap } from '@loyalty/platform/identity/access';
import { refusal } from '@loyalty/platform/identity/refusal';
import type { FastifyRequest } from 'fastify';
import type { RowOperation } from './row-operation.ts';

/** Every `@access` of an operation, each once. The caller must satisfy all of them. */
export const accessesOf = ({ fields }: RowOperation, access: AccessMap): readonly Access[] => [
  ...new Set(fields.flatMap((field) => access.get(field) ?? [])),
];

/**
 * Why the caller may not use a row; null when it is allowed. It is checked before input is read, so a refused
 * caller sees no other error. An adapter in its own process knows only whether there is a credential; the
 * gateway checks the rest.
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

/** A key needs all scopes of one of these lists; empty where no scope is needed. */
export function scopesOf(accesses: readonly Access[]): readonly (readonly string[])[] {
  let lists: string[][] = [[]];
  for (const { scopes } of accesses) {
    if (scopes.length === 0) continue;
    lists = sufficient(
      lists.flatMap((held) => scopes.map((more) => [...new Set([...held, ...more])].sort())),
    );
  }
  return lists.filter((list) => list.length > 0);
}

/** Without lists that contain another list: they would multiply with every field. */
const sufficient = (lists: string[][]): string[][] =>
  lists.filter((list, index) => !lists.some((other, at) => at !== index && isLess(other, list, at < index)));

/** Is every scope of `less` in `more`, too? Of equal lists only the earlier one counts. */
const isLess = (less: readonly string[], more: readonly string[], isEarlier: boolean): boolean =>
  less.every((scope) => more.includes(scope)) && (less.length < more.length || isEarlier);
