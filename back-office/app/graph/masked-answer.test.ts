import { expect, test } from '@jest/globals';
import { masked } from './masked-answer.ts';

test('fields of members are masked by their types, what is like them elsewhere is not', () => {
  const store = { __typename: 'Store', name: 'Main Street', phone: '+351 912 345 678' };
  const member = { __typename: 'Member', id: 'm', name: 'Ana Reis', email: null, birthOn: '1990-01-01' };
  expect(masked({ members: { nodes: [member] }, store })).toEqual({
    members: { nodes: [{ ...member, name: 'A. R.', birthOn: null }] },
    store,
  });
});

test('custom attributes are masked by what their fields are called and by what they hold', () => {
  const customAttributes = {
    partnerName: 'gold',
    nickname: 'Ani',
    work_email: 'ana@example.com',
    mobile: 351912345678,
    billing_address: { street: 'Rua 1', city: 'Lisbon' },
    note: 'call +351 912 345 678 or ask ana.reis@mail.example.com.',
    size: 42,
    tags: ['vip'],
  };
  expect(masked({ __typename: 'Member', customAttributes })).toEqual({
    __typename: 'Member',
    customAttributes: {
      partnerName: 'gold',
      nickname: 'A.',
      work_email: 'a***@e***.com',
      mobile: '***78',
      billing_address: { street: null, city: 'Lisbon' },
      note: 'call ***78 or ask a***@m***.com.',
      size: 42,
      tags: ['vip'],
    },
  });
});

test('audit values keep the names of tiers and lose those of members', () => {
  const entry = (resourceType: string, after: object) => ({ __typename: 'AuditEntry', resourceType, after });
  const after = { name: 'Gold Circle', contact: 'ana@example.com', rank: 3 };
  expect(masked(entry('Tier', after)).after).toEqual({ ...after, contact: 'a***@e***.com' });
  expect(masked(entry('Member', after)).after).toEqual({
    ...after,
    name: 'G. C.',
    contact: 'a***@e***.com',
  });
});

test('answers of the model and rows of an import are masked; what an import maps is not', () => {
  const values = { fullName: 'Ana Reis', phone: '912345678', externalId: 'crm-7' };
  const row = { __typename: 'ImportPreviewRow', row: 2, values };
  const column = { __typename: 'ImportColumn', header: 'Full name', field: null, examples: ['Ana Reis'] };
  const job = { __typename: 'ImportJob', mapping: { email: 'E-mail', fullName: 'Name' } };
  const result = { __typename: 'CapabilityResult', data: { members: [{ email: 'ana@example.com' }] } };
  expect(masked([row, column, job, result])).toEqual([
    { ...row, values: { fullName: 'A. R.', phone: '***78', externalId: 'crm-7' } },
    { ...column, examples: ['A. R.'] },
    job,
    { ...result, data: { members: [{ email: 'a***@e***.com' }] } },
  ]);
});
