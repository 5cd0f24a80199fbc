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

/** A fictional guest of a fictional coffee house. The domain of the e-mail address can never receive mail. */
export interface Person {
  readonly externalId: string;
  readonly email: string;
  readonly fullName: string;
  readonly locale: string;
  readonly customAttributes: Readonly<Record<string, string | number>>;
  /** Index of the home store in the list of stores. */
  readonly store: number;
  /** Day of the history on which the person enrols. The first day is 0. */
  readonly joinsOn: number;
  /** Day of the history from which the person does not come any more. */
  readonly leavesOn: number;
  readonly ordersPerDay: number;
  readonly readsMail: boolean;
  readonly isUnsubscribed: boolean;
}

/** Returns a generator of numbers from 0 to 1 that are the same on every run. */
export function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Creates people of whom more enrol from week to week. Few come often, and many stop coming. */
export function people(count: number, days: number): Person[] {
  const chance = chances(2_026);
  return Array.from({ length: count }, (_, index) => {
    const first = firstNames[Math.floor(chance() * firstNames.length)]!;
    const last = lastNames[Math.floor(chance() * lastNames.length)]!;
    const joinsOn = Math.min(days - 1, Math.floor(days * (index / count) ** 0.75 + 8 * chance()));
    const ordersPerDay = 0.006 + 0.11 * chance() ** 4;
    return {
      externalId: `demo-${index + 1}`,
      email: `${first}.${last}.${index + 1}@example.com`.toLowerCase(),
      fullName: `${first} ${last}`,
      locale: index % 3 === 0 ? 'pt-PT' : 'en-GB',
      customAttributes: {
        favourite_drink: ['espresso', 'flat white', 'tea'][index % 3]!,
        visits_per_week: Math.round(ordersPerDay * 70) / 10,
      },
      store: Math.floor(chance() * 3),
      joinsOn,
      leavesOn: joinsOn + Math.round(20 + 300 * chance()),
      ordersPerDay,
      readsMail: index % 6 === 0,
      isUnsubscribed: index % 41 === 7,
    };
  });
}
