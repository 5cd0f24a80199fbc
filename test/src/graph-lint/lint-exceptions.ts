/** A report that is right, and why the graph stays as it is. */
export interface LintException {
  readonly rule: string;
  /** What the report says, in part. */
  readonly about: string;
  readonly reason: string;
}

/** Settings of rules that differ from the recommended ones, each for the reason above it. */
export const settings = {
  // Only what lives on its own has an id: pages, figures, previews and results of a call are values.
  '@graphql-eslint/strict-id-in-types': 'off',
  // Ids are UUIDs that do not name their type, so there is no `Node`; every type has a field of Query instead.
  // Lists that are short by nature, and say so by @listSize, are lists.
  '@graphql-eslint/relay-edge-types': [
    'error',
    { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
  ],
} as const;

const extended = 'A root type has no definition, only extensions; each of its fields is described.';

/** Single reports; one that is no longer made fails the check. */
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
