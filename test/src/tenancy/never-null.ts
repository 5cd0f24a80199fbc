/** Columns that may be null in their table but never in the results of a store, with the reason. */
export const neverNull: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'subgraphs/engagement/src/journeys/journeys.store.ts': { version: 'the statement counts it' },
  'subgraphs/engagement/src/webhooks/sending.store.ts': { reason: 'what disables an endpoint says why' },
  'subgraphs/loyalty/src/imports/member-import.store.ts': {
    email_index: 'every row of a file has an address',
  },
  'subgraphs/loyalty/src/points/due-lots.store.ts': { at: 'it is compared with now' },
  'subgraphs/model/src/credits/wallet.store.ts': {
    balance_after: 'lines of wallets have it',
  },
  'subgraphs/model/src/facts/fact-ids.store.ts': {
    order_id: 'facts of orders have it',
    occurred_at: 'facts of orders have it',
    currency: 'facts of orders have it',
  },
  'subgraphs/model/src/facts/order-updates.store.ts': { order_id: 'facts of orders have it' },
  'subgraphs/model/src/versions/versions.store.ts': { fingerprint: 'published versions have it' },
};
