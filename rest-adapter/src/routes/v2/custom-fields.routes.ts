import { ListCustomFieldsDocument, ListCustomFieldValuesDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const customFieldsRoutes = [
  GET('/api/v2/custom-fields', ListCustomFieldsDocument, { tool: { name: 'custom_fields_list' } }),
  GET('/api/v2/custom-fields/values', ListCustomFieldValuesDocument),
];
