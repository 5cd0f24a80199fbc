/** An object of a world. All resolvers of a field compute the same value from `ident`. */
export interface Thing {
  __typename: string;
  /** `Book:3` for entities; for other objects, the path from an entity to them. */
  readonly ident: string;
  /** The reference from which it was reached; `@requires` reads it. */
  readonly given?: Readonly<Record<string, unknown>>;
}
