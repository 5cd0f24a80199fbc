import { accountsExamples } from './examples/accounts.examples.ts';
import { apiKeysExamples } from './examples/api-keys.examples.ts';
import { customFieldsExamples } from './examples/custom-fields.examples.ts';
import type { Example } from './examples/example.ts';
import { importsExamples } from './examples/imports.examples.ts';
import { membersExamples } from './examples/members.examples.ts';
import { pointsExamples } from './examples/points.examples.ts';
import { storesExamples } from './examples/stores.examples.ts';
import { tiersExamples } from './examples/tiers.examples.ts';
import { unsubscribeExamples } from './examples/unsubscribe.examples.ts';

/** One example per operation, by its name; a test holds each against the schemas of the document. */
export const examples: Readonly<Record<string, Example>> = {
  ...accountsExamples,
  ...apiKeysExamples,
  ...customFieldsExamples,
  ...importsExamples,
  ...membersExamples,
  ...pointsExamples,
  ...storesExamples,
  ...tiersExamples,
  ...unsubscribeExamples,
};
