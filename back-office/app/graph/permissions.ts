import type { AppError } from '@loyalty/platform/base/errors';
import type { Access } from '@loyalty/platform/identity/access';
import { refusal } from '@loyalty/platform/identity/refusal';
import { type DocumentName, demands } from '../../generated/demands.ts';

/** The facts that determine the permissions of a signed-in person. */
export interface PermittedPerson {
  readonly role?: 'MEMBER' | 'ADMIN' | 'OWNER' | null;
  readonly mode: 'LIVE' | 'TEST';
  readonly scopes: readonly string[];
  readonly modules: readonly string[];
}

/** Returns why a person may not run a document. Null if they may. The rules are those of the gateway. */
export const refusalFor = (person: PermittedPerson, document: DocumentName): AppError | null =>
  firstRefusal(person, demands[document].always);

/** Returns the variables that exclude parts of a document that a person may not see. */
export function permittedParts(person: PermittedPerson, document: DocumentName): Record<string, boolean> {
  const parts = Object.entries(demands[document].parts as Readonly<Record<string, readonly Access[]>>);
  return Object.fromEntries(parts.map(([name, demanded]) => [name, firstRefusal(person, demanded) === null]));
}

function firstRefusal(person: PermittedPerson, demanded: readonly Access[]): AppError | null {
  const { role = null, mode, scopes, modules } = person;
  const user = { kind: 'USER', role, mode, scopes, modules } as const;
  for (const access of demanded) {
    const refused = refusal(user, access);
    if (refused) return refused;
  }
  return null;
}
