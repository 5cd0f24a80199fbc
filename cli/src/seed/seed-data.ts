const firstNames = [
  'Ada',
  'Bela',
  'Chiara',
  'Dario',
  'Esra',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kaya',
  'Lena',
];
const lastNames = [
  'Almeida',
  'Brandt',
  'Costa',
  'Dumont',
  'Eriksen',
  'Fischer',
  'Garcia',
  'Horvat',
  'Ivanova',
  'Jansen',
];
const MEMBERS = 24;

/** Made-up people of a made-up coffee house; addresses are in a domain that can never receive mail. */
const members = Array.from({ length: MEMBERS }, (_, index) => {
  const first = firstNames[index % firstNames.length]!;
  const last = lastNames[index % lastNames.length]!;
  return {
    email: `${first}.${last}.${index + 1}@example.com`.toLowerCase(),
    fullName: `${first} ${last}`,
    externalId: `demo-${index + 1}`,
    locale: index % 3 === 0 ? 'pt-PT' : 'en-GB',
    customAttributes: {
      favourite_drink: ['espresso', 'flat white', 'tea'][index % 3],
      visits_per_week: index % 6,
    },
    points: Array.from({ length: index % 5 }, (_unused, purchase) => 40 + 55 * purchase + index * 9),
    isUnsubscribed: index % 11 === 7,
  };
});

/** What `npm start` shows a newcomer. */
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
    { name: 'Silver', rank: 2, upgradeThreshold: 200, multiplier: 1.25 },
    { name: 'Gold', rank: 3, upgradeThreshold: 600, multiplier: 1.5 },
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
  members,
} as const;
