import type { Example } from '../example.ts';
import { brandId } from '../ids.ts';

export const brandsExamples: Readonly<Record<string, Example>> = {
  ListBrands: { reply: { brands: [{ id: brandId, name: 'Roasters of Lisbon' }], total: 1 } },
};
