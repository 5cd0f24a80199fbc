/** To whom the data of a type belongs. What `Query` says of a type that it returns needs no entry. */
export interface Owner {
  /** The type that it is a part of: it is demanded what that one is. */
  readonly of?: string;
  /** Scopes that read it beside those, in lists as well. */
  readonly reads?: readonly (readonly string[])[];
  /** Scopes that read single ones, because they write them. */
  readonly writes?: readonly (readonly string[])[];
  /** A member's session reads its own. */
  readonly isMembersOwn?: boolean;
  /** Why, and where that is documented. */
  readonly because: string;
}
