import { accountsExamples } from './examples/accounts.examples.ts';
import { ambassadorExamples } from './examples/ambassador.examples.ts';
import { apiKeysExamples } from './examples/api-keys.examples.ts';
import { brandsExamples } from './examples/brands.examples.ts';
import { capabilitiesExamples } from './examples/capabilities.examples.ts';
import { capturesExamples } from './examples/captures.examples.ts';
import { categoriesExamples } from './examples/categories.examples.ts';
import { couponsExamples } from './examples/coupons.examples.ts';
import { customFieldsExamples } from './examples/custom-fields.examples.ts';
import { dataExamples } from './examples/data.examples.ts';
import type { Example } from './examples/example.ts';
import { importsExamples } from './examples/imports.examples.ts';
import { memberBatchExamples } from './examples/member-batch.examples.ts';
import { membersExamples } from './examples/members.examples.ts';
import { objectsExamples } from './examples/objects.examples.ts';
import { ordersExamples } from './examples/orders.examples.ts';
import { pointsExamples } from './examples/points.examples.ts';
import { productsExamples } from './examples/products.examples.ts';
import { profileExamples } from './examples/profile.examples.ts';
import { receiptsExamples } from './examples/receipts.examples.ts';
import { storesExamples } from './examples/stores.examples.ts';
import { tagsExamples } from './examples/tags.examples.ts';
import { testDataExamples } from './examples/test-data.examples.ts';
import { tiersExamples } from './examples/tiers.examples.ts';
import { unsubscribeExamples } from './examples/unsubscribe.examples.ts';

/** One example per operation, by its name; a test holds each against the schemas of the document. */
export const examples: Readonly<Record<string, Example>> = {
  ...accountsExamples,
  ...ambassadorExamples,
  ...apiKeysExamples,
  ...capabilitiesExamples,
  ...capturesExamples,
  ...couponsExamples,
  ...brandsExamples,
  ...categoriesExamples,
  ...customFieldsExamples,
  ...dataExamples,
  ...memberBatchExamples,
  ...importsExamples,
  ...membersExamples,
  ...ordersExamples,
  ...objectsExamples,
  ...pointsExamples,
  ...productsExamples,
  ...receiptsExamples,
  ...storesExamples,
  ...testDataExamples,
  ...profileExamples,
  ...tagsExamples,
  ...tiersExamples,
  ...unsubscribeExamples,
};
