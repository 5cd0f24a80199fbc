import type { Context } from '@loyalty/platform/context';
import type { ObjectFieldInput } from './object-fields.ts';
import { defineObjectType, publishObjectType } from './object-type-editor.service.ts';

const ticketFields: readonly ObjectFieldInput[] = [
  { key: 'subject', type: 'TEXT', required: true },
  { key: 'status', type: 'ENUM', options: ['open', 'closed'] },
  { key: 'customer', type: 'MEMBER_REF' },
  { key: 'agent', type: 'MEMBER_REF' },
  { key: 'score', type: 'NUMBER' },
  { key: 'tags', type: 'LIST' },
  { key: 'urgent', type: 'BOOLEAN' },
  { key: 'due', type: 'DATE' },
  { key: 'at', type: 'DATETIME' },
  { key: 'link', type: 'URL' },
  { key: 'mail', type: 'EMAIL' },
  { key: 'parent', type: 'RECORD_REF', refType: 'tickets' },
];

/** Creates a published type `tickets` with a field of every type, or with the given fields. */
export async function givenTickets(ctx: Context, fields: readonly ObjectFieldInput[] = ticketFields) {
  await defineObjectType(ctx, { type: 'tickets', label: 'Tickets', fields });
  return publishObjectType(ctx, 'tickets');
}
