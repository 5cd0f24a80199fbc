/** Columns that may be null in their table, by store, and why its statements never answer null. */
export const neverNull: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'subgraphs/engagement/src/journeys/journeys.store.ts': { version: 'the statement counts it' },
  'subgraphs/loyalty/src/imports/member-import.store.ts': {
    email_index: 'every row of a file has an address',
  },
  'subgraphs/model/src/credits/wallet.store.ts': {
    balance_after: 'lines of wallets have it',
  },
  'subgraphs/model/src/versions/versions.store.ts': { fingerprint: 'published versions have it' },
};
