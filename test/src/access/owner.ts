/**
 * Who owns the data of a type. A type that a field of `Query` returns needs no entry, because the access of
 * that field applies.
 */
export interface Owner {
  /** This type is a part of that type and requires the same access. */
  readonly of?: string;
  /** More scopes that may read the type, also in lists. */
  readonly reads?: readonly (readonly string[])[];
  /** Scopes that may read a single object, because they may write it. */
  readonly writes?: readonly (readonly string[])[];
  /** Whether a member's session may read the member's own data. */
  readonly isMembersOwn?: boolean;
  /** The reason, and the document that states it. */
  readonly because: string;
}
