import { type Example, storeId } from '../example.ts';

const store = {
  id: storeId,
  name: 'Rua Augusta',
  status: 'active',
  address: 'Rua Augusta 12, 1100-053 Lisboa',
  created_at: '2026-03-02T09:30:00.000Z',
};

export const storesExamples: Readonly<Record<string, Example>> = {
  ListStores: { reply: { stores: [store], total: 1 } },
  GetStore: { reply: store },
};
