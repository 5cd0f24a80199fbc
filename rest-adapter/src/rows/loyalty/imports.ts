import {
  GetCatalogImportDocument,
  GetMemberImportDocument,
  GetOrderImportDocument,
  ImportCatalogDocument,
  ImportMembersDocument,
  ImportOrdersDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

/** Where the reply shows the progress of an import, for tools that can wait until it has ended. */
const importProgress = {
  status: 'data.status',
  done: 'data.processed',
  total: 'data.total',
  ended: ['completed', 'completed_with_errors', 'failed', 'cancelled'],
};

export const importsRoutes = [
  POST('/api/v2/members/import', ImportMembersDocument, { status: 202, fileField: 'rows' }),
  GET('/api/v2/members/import/:id', GetMemberImportDocument, {
    tool: { name: 'member_imports_get', waits: importProgress },
  }),
  POST('/api/v2/orders/import', ImportOrdersDocument, { status: 202, fileField: 'rows' }),
  GET('/api/v2/orders/import/:id', GetOrderImportDocument),
  POST('/api/v2/catalog/import', ImportCatalogDocument, { status: 202, fileField: 'products' }),
  GET('/api/v2/catalog/import/:id', GetCatalogImportDocument),
];
