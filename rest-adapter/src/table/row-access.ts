import { type Access, type AccessMap, refusal } from '@loyalty/platform/caller/access';
import { anonymous } from '@loyalty/platform/caller/caller';
import type { AppError } from '@loyalty/platform/errors';
import type { FastifyRequest } from 'fastify';
import type { RowOperation } from './row-operation.ts';

/** Every `@access` that an operation meets, each once; the caller must satisfy each. */
export const accessesOf = ({ fields }: RowOperation, access: AccessMap): readonly Access[] => [
  ...new Set(fields.flatMap((field) => access.get(field) ?? [])),
];

/**
 * Why the caller may not use a row, known before its input is read: who may not call learns nothing else.
 * In a process of its own the adapter knows only whether there is a credential; the gateway asks the rest.
 */
export function rowRefusal(request: FastifyRequest, accesses: readonly Access[]): AppError | null {
  const { authorization, 'x-api-key': apiKey } = request.headers;
  const caller = request.caller ?? (authorization || apiKey ? null : anonymous);
  if (!caller) return null;
  for (const access of accesses) {
    const refused = refusal(caller, access);
    if (refused) return refused;
  }
  return null;
}

/** The lists of scopes of which a key must hold one whole; empty where no scope is asked. */
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

/** Without lists that hold more than another one does; they would multiply with every field. */
const sufficient = (lists: string[][]): string[][] =>
  lists.filter((list, index) => !lists.some((other, at) => at !== index && isLess(other, list, at < index)));

/** Is every scope of `less` in `more` too? Equal lists count once, the earlier one. */
const isLess = (less: readonly string[], more: readonly string[], isEarlier: boolean): boolean =>
  less.every((scope) => more.includes(scope)) && (less.length < more.length || isEarlier);
