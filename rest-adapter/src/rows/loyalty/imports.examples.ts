import { type Example, importId } from '../example.ts';

const about = (noun: string): string =>
  `Imports ${noun} in the background; poll the answer's id. ` +
  'The body may be the file itself, up to 1 GiB, as text/csv or application/x-ndjson; then mapping (as ' +
  'JSON) and onDuplicate are query parameters. In a JSON body the file may have up to 10 MiB.';

const job = {
  id: importId,
  status: 'completed_with_errors',
  total: 3,
  processed: 3,
  inserted: 1,
  updated: 1,
  skipped: 0,
  failed: 1,
  created_at: '2026-05-11T14:05:21.000Z',
  finished_at: '2026-05-11T14:05:23.000Z',
};

const queued = { data: { id: importId, status: 'queued' } };
const error = (field: string, message: string) => ({ row: 4, column: 'B', field, message });

export const importsExamples: Readonly<Record<string, Example>> = {
  ImportMembers: {
    about: about('members'),
    body: {
      format: 'csv',
      content: 'E-Mail;Name;Size\nada@example.com;Ada Lovelace;M\n',
      mapping: { 'E-Mail': 'email', Size: 'custom.shirt_size' },
    },
    reply: queued,
  },
  GetMemberImport: {
    reply: {
      data: {
        ...job,
        kind: 'members',
        errors: [error('email', 'email must be an e-mail address such as ada@example.com.')],
      },
    },
  },
  ImportOrders: {
    about: about('orders as history, which earns no points,'),
    body: {
      format: 'json',
      rows: [
        {
          externalOrderId: 'A-1001',
          memberEmail: 'ada@example.com',
          occurredAt: '2026-02-01T10:00:00Z',
          currency: 'EUR',
          total: 4990,
        },
      ],
    },
    reply: queued,
  },
  GetOrderImport: {
    reply: {
      data: {
        ...job,
        kind: 'orders',
        errors: [error('total', 'total must be whole minor units: write 12.50 EUR as 1250.')],
      },
    },
  },
  ImportCatalog: {
    about: about('products'),
    body: {
      format: 'json',
      products: [
        {
          externalId: 'P-7',
          name: 'Linen shirt',
          price: 4990,
          currency: 'EUR',
          category: 'Clothing > Shirts',
        },
      ],
    },
    reply: queued,
  },
  GetCatalogImport: {
    reply: { data: { ...job, kind: 'catalog', errors: [error('name', 'name is required.')] } },
  },
};
