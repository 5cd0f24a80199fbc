/** Data of the demo workspace, which `npm start` shows to new users. */
export const demo = {
  workspaceName: 'Harbour Coffee',
  account: { email: 'demo@loyalty.example', password: 'harbour-coffee-demo', name: 'Demo Owner' },
  stores: [
    {
      name: 'Harbour Coffee Ribeira',
      address: 'Cais da Ribeira 12, Porto',
      latitude: 41.1405,
      longitude: -8.6137,
    },
    {
      name: 'Harbour Coffee Chiado',
      address: 'Rua Garrett 40, Lisboa',
      latitude: 38.7107,
      longitude: -9.1413,
    },
    {
      name: 'Harbour Coffee Canal',
      address: 'Prinsengracht 211, Amsterdam',
      latitude: 52.3747,
      longitude: 4.8841,
    },
  ],
  tiers: [
    { name: 'Bronze', rank: 1, upgradeThreshold: 0, multiplier: 1 },
    { name: 'Silver', rank: 2, upgradeThreshold: 60, multiplier: 1.25 },
    { name: 'Gold', rank: 3, upgradeThreshold: 150, multiplier: 1.5 },
  ],
  customFields: [
    {
      key: 'favourite_drink',
      label: 'Favourite drink',
      type: 'ENUM',
      options: ['espresso', 'flat white', 'tea'],
    },
    { key: 'visits_per_week', label: 'Visits per week', type: 'NUMBER' },
  ],
  workspace: { currency: 'EUR', timeZone: 'Europe/Lisbon' },
  program: { pointsExpireAfterDays: 200 },
  modules: ['ambassador', 'receipts', 'custom_objects'],
  earningRules: [{ kind: 'BASE', name: 'One point a euro', rate: 1, currency: 'EUR' }],
  couponPool: { name: 'A coffee on us', couponType: 'FREE_ITEM', discountDisplay: 'One free coffee' },
  coupons: 200,
  objectType: {
    type: 'feedback',
    label: 'Feedback',
    fields: [
      { key: 'subject', type: 'TEXT', required: true },
      { key: 'mood', type: 'ENUM', options: ['happy', 'neutral', 'unhappy'] },
      { key: 'member', type: 'MEMBER_REF' },
    ],
  },
} as const;
