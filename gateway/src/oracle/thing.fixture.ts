/** An object of a world. Whoever resolves a field of it computes the same value from `ident`. */
export interface Thing {
  __typename: string;
  /** `Book:3` for entities; for other objects the path to them from an entity. */
  readonly ident: string;
  /** The reference that led to it: what `@requires` reads. */
  readonly given?: Readonly<Record<string, unknown>>;
}
