import type { Example } from '../example.ts';
import { categoryId } from '../ids.ts';

export const categoriesExamples: Readonly<Record<string, Example>> = {
  ListCategories: {
    reply: {
      categories: [{ id: categoryId, name: 'Coffee', parent_id: null, path: ['Coffee'] }],
      total: 1,
    },
  },
};
