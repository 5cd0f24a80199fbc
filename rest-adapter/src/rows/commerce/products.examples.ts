import { brandId, categoryId, type Example } from '../example.ts';

const product = {
  id: '0197a3c4-0d11-7b21-8f30-5d6e7f8a9b01',
  external_id: 'P-1001',
  sku: 'ESP-250',
  name: 'Espresso beans 250 g',
  description: 'Dark roast.',
  price: 790,
  currency: 'EUR',
  status: 'active',
  category_ids: [categoryId],
  brand_id: brandId,
  image_url: 'https://shop.example.com/images/esp-250.jpg',
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
};

export const productsExamples: Readonly<Record<string, Example>> = {
  ListProducts: { reply: { products: [product], total: 1 } },
  GetProduct: { reply: product },
};

export const categoriesExamples: Readonly<Record<string, Example>> = {
  ListCategories: {
    reply: {
      categories: [{ id: categoryId, name: 'Coffee', parent_id: null, path: ['Coffee'] }],
      total: 1,
    },
  },
};

export const brandsExamples: Readonly<Record<string, Example>> = {
  ListBrands: { reply: { brands: [{ id: brandId, name: 'Roasters of Lisbon' }], total: 1 } },
};
