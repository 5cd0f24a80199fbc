import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Part } from '../design/part.tsx';
import { JsonField } from '../fields/json-field.tsx';
import { jsonRule } from '../fields/json-text.ts';
import { SchemaFields, useSchemaForm } from '../fields/schema-form.tsx';
import { useText } from '../messages/text.ts';

const VALUE = { name: 'Gold', points: 1_200, rate: 1.25, isOpen: true, ends: null, days: ['Mon', 'Tue'] };

/** A JsonField in a form: with a fault, with an error of the server, and read-only. */
export function JsonFields() {
  const t = useText();
  const form = useForm({ initialValues: { json: '{"a":[1,2]}' }, validate: { json: jsonRule(t, true) } });
  const [faulty, setFaulty] = useState('{\n  "a": 1,\n}');
  return (
    <Part title="JsonField">
      <Stack>
        <JsonField label="JSON" description="Any JSON" required rows={5} {...form.getInputProps('json')} />
        <output aria-label="JSON of the form">{form.values.json}</output>
        <JsonField label="Faulty JSON" rows={4} value={faulty} onChange={setFaulty} />
        <JsonField label="Refused JSON" rows={3} value="{}" error="Refused" onChange={() => undefined} />
        <JsonField label="JSON to read" rows={9} value={JSON.stringify(VALUE, null, 2)} isReadOnly />
        <JsonField label="No JSON" rows={2} value="" onChange={() => undefined} />
      </Stack>
    </Part>
  );
}

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 20, description: 'As everybody knows it' },
    member_id: { type: 'string', format: 'uuid' },
    limit: { type: 'integer', minimum: 1, maximum: 20, default: 5 },
    share: { type: 'number', minimum: 0, maximum: 1 },
    version: { enum: ['std-1', 'std-2'] },
    is_live: { type: 'boolean', default: true },
    is_open: { type: 'boolean' },
    items: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    starts_on: { type: 'string', format: 'date' },
    decided_at: { type: 'string', format: 'date-time' },
    kind: { const: 'FIXED', title: 'Kind' },
    budget: {
      type: 'object',
      description: 'What may be spent',
      properties: { amount: { type: 'number' }, currency: { type: 'string', pattern: '^[A-Z]{3}$' } },
      required: ['amount'],
    },
    details: { type: 'object' },
  },
  required: ['name', 'kind'],
};
const FAULTS = [{ path: 'arguments.budget.currency', message: 'Refused by the server' }];

/** Forms with every kind of field: with initial values, and with errors of the server. */
export function SchemaForms() {
  const [sent, setSent] = useState('');
  const { fields, form, objectOf } = useSchemaForm(SCHEMA);
  const given = { name: 'Gold', kind: 'FIXED', is_open: false, items: ['a', 'b'], details: { a: 1 } };
  const other = useSchemaForm(SCHEMA, given);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Part title="SchemaForm">
        <form noValidate onSubmit={form.onSubmit((typed) => setSent(JSON.stringify(objectOf(typed))))}>
          <Stack>
            <SchemaFields fields={fields} form={form} pickers={{ member_id: 'member' }} />
            <Button type="submit">Send object</Button>
            <output aria-label="Sent object" style={{ overflowWrap: 'anywhere' }}>
              {sent}
            </output>
          </Stack>
        </form>
      </Part>
      <Part title="SchemaForm, refused">
        <SchemaFields fields={other.fields} form={other.form} faults={FAULTS} />
      </Part>
    </SimpleGrid>
  );
}
