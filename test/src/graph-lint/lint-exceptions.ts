/** A report of the linter that is accepted, with the reason why the graph is not changed. */
export interface LintException {
  readonly rule: string;
  /** A part of the text of the report. */
  readonly about: string;
  readonly reason: string;
}

/** Settings of rules that differ from the recommended ones. The comment above each has the reason. */
export const settings = {
  // Only types with a life of their own have an id; pages, figures, previews and results are plain values.
  '@graphql-eslint/strict-id-in-types': 'off',
  // Ids are UUIDs that do not contain the type, so there is no `Node`; every type has a field of Query
  // instead. Short lists, marked with @listSize, are plain lists and not connections.
  '@graphql-eslint/relay-edge-types': [
    'error',
    { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
  ],
} as const;

const extended = 'A root type has no definition, only extensions; each of its fields is described.';

/** Accepted reports. The check fails for one that the linter no longer makes. */
export const exceptions: readonly LintException[] = [
  {
    rule: '@graphql-eslint/no-typename-prefix',
    about: 'Field "calledAt" starts with the name of the parent type "Call"',
    reason: 'It is when the call was made, beside other times.',
  },
  {
    rule: '@graphql-eslint/no-typename-prefix',
    about: 'Field "refundId" starts with the name of the parent type "Refund"',
    reason: "REST documents it as the merchant's own id, beside `id`.",
  },
  {
    rule: '@graphql-eslint/naming-convention',
    about: 'Type "ObjectType" should not have "Type" suffix',
    reason: 'The type of custom objects is a noun of the product.',
  },
  ...['Query', 'Mutation', 'Subscription'].map((root) => ({
    rule: '@graphql-eslint/require-description',
    about: `Description is required for type "${root}"`,
    reason: extended,
  })),
];
