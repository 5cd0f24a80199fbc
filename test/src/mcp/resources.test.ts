import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Client } from '@modelcontextprotocol/client';
import { enrol } from '../contract/members/members.fixture.ts';
import { useStack } from '../harness/stack.ts';
import { connect } from './mcp.fixture.ts';

const stack = useStack();
let key: string;
let client: Client;

beforeAll(async () => {
  key = (await stack.key((await stack.signUp()).token)).secret;
  client = await connect(stack, key);
  stack.beforeClose(() => client.close());
});

async function read(uri: string) {
  const { contents } = await client.readResource({ uri });
  const [content] = contents as unknown as [{ text: string; mimeType: string }];
  expect(content.mimeType).toBe('application/json');
  return JSON.parse(content.text);
}

describe('resources', () => {
  test('the OpenAPI documents are listed and read', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['loyalty://openapi/v1', 'loyalty://openapi/v2']),
    );
    const { body } = await stack.rest('GET', '/openapi/v2.json');
    expect(await read('loyalty://openapi/v2')).toEqual(body);
  });

  test('a member is read by id; campaigns are hidden from this key', async () => {
    const { id } = await enrol(stack, key);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['loyalty://members/{id}']);
    expect(await read(`loyalty://members/${id}`)).toMatchObject({ id });
  });

  test.each([
    `loyalty://members/${newId(systemClock)}`,
    `loyalty://campaigns/${newId(systemClock)}`,
    'loyalty://members/x',
    'loyalty://members/',
    'loyalty://openapi/v3',
    'loyalty://openapi/constructor',
    'loyalty://',
    'file:///etc/passwd',
  ])('%s is no resource', async (uri) => {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
  });
});

describe('prompts', () => {
  test('a prompt is filled with its arguments', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('plan_win_back_campaign');
    const { messages } = await client.getPrompt({
      name: 'plan_win_back_campaign',
      arguments: { days: '45' },
    });
    expect(JSON.stringify(messages)).toContain('for 45 days');
  });

  test('every tool that a prompt names exists', async () => {
    const { rows } = await import('@loyalty/rest-adapter/table/rows');
    const tools = rows.flatMap(({ tool }) => (tool ? [tool.name] : []));
    const { prompts } = await client.listPrompts();
    for (const { name, arguments: asked = [] } of prompts) {
      const given = Object.fromEntries(asked.map((one) => [one.name, 'x']));
      const { messages } = await client.getPrompt({ name, arguments: given });
      const named = JSON.stringify(messages).match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [];
      expect(tools).toEqual(expect.arrayContaining(named));
    }
  });

  test('an unknown prompt and a missing argument are refused', async () => {
    await expect(client.getPrompt({ name: 'rob' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: 'explain_member' })).rejects.toMatchObject({ code: -32602 });
  });
});
