import { accountsExamples } from './examples/accounts.examples.ts';
import { ambassadorExamples } from './examples/ambassador.examples.ts';
import { apiKeysExamples } from './examples/api-keys.examples.ts';
import { capturesExamples } from './examples/captures.examples.ts';
import { couponsExamples } from './examples/coupons.examples.ts';
import { customFieldsExamples } from './examples/custom-fields.examples.ts';
import type { Example } from './examples/example.ts';
import { membersExamples } from './examples/members.examples.ts';
import { ordersExamples } from './examples/orders.examples.ts';
import { pointsExamples } from './examples/points.examples.ts';
import { storesExamples } from './examples/stores.examples.ts';
import { testDataExamples } from './examples/test-data.examples.ts';
import { tiersExamples } from './examples/tiers.examples.ts';
import { unsubscribeExamples } from './examples/unsubscribe.examples.ts';

/** One example per operation, by its name; a test holds each against the schemas of the document. */
export const examples: Readonly<Record<string, Example>> = {
  ...accountsExamples,
  ...ambassadorExamples,
  ...apiKeysExamples,
  ...capturesExamples,
  ...couponsExamples,
  ...customFieldsExamples,
  ...membersExamples,
  ...ordersExamples,
  ...pointsExamples,
  ...storesExamples,
  ...testDataExamples,
  ...tiersExamples,
  ...unsubscribeExamples,
};
