import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { JsonField } from '../design/json-field/json-field.tsx';
import { jsonRule } from '../design/json-field/json-text.ts';
import { Part } from '../design/part.tsx';
import { useText } from '../messages/text.ts';

const VALUE = { name: 'Gold', points: 1_200, rate: 1.25, isOpen: true, ends: null, days: ['Mon', 'Tue'] };

/** A JsonField in a form, with a fault, refused, and only to be read. */
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
