import type { Stack } from '../../harness/stack.ts';

const fields = [
  { key: 'size', label: 'Size', type: 'ENUM', options: ['s', 'm', 'l'] },
  { key: 'visits', label: 'Visits', type: 'NUMBER' },
  { key: 'likes', label: 'Likes', type: 'LIST', options: ['tea', 'coffee'] },
  { key: 'since', label: 'Since', type: 'DATE' },
  { key: 'vip', label: 'VIP', type: 'BOOLEAN' },
  { key: 'note', label: 'Note', type: 'TEXT' },
];

/** Defines one custom field of every type. */
export async function defineFields(stack: Stack, token: string): Promise<void> {
  for (const input of fields) {
    const { errors } = await stack.graph(
      'mutation ($input: DefineCustomFieldInput!) { defineCustomField(input: $input) { id } }',
      { input },
      token,
    );
    if (errors) throw new Error(`The field ${input.key} could not be defined: ${JSON.stringify(errors)}`);
  }
}

let people = 0;

/** Enrols another person over REST and returns the reply's body. */
export async function enrol(stack: Stack, key: string, more: object = {}) {
  people += 1;
  const body = { email: `m${people}@example.com`, fullName: `Maria Da Silva ${people}`, ...more };
  const reply = await stack.rest('POST', '/api/v2/members', { as: key, body });
  if (reply.status !== 201) throw new Error(`${body.email} did not enrol: ${JSON.stringify(reply.body)}`);
  return reply.body;
}
