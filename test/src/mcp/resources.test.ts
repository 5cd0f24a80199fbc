import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { errorReasons } from '@loyalty/platform/base/error-reasons';
import { newId } from '@loyalty/platform/base/ids';
import type { Client } from '@modelcontextprotocol/client';
import { buildSchema } from 'graphql';
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

async function readText(uri: string, mimeType: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents as unknown as [{ text: string; mimeType: string }];
  expect(content.mimeType).toBe(mimeType);
  return content.text;
}

const read = async (uri: string) => JSON.parse(await readText(uri, 'application/json'));

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
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'loyalty://tools/{name}',
      'loyalty://schema/{name}',
      'loyalty://members/{id}',
    ]);
    expect(await read(`loyalty://members/${id}`)).toMatchObject({ id });
  });

  test('a tool is described as a whole; a tool of other scopes is no resource', async () => {
    expect(await read('loyalty://tools/points_award')).toMatchObject({
      name: 'points_award',
      title: 'Points award',
      inputSchema: {
        properties: { amount: { type: 'integer', minimum: 1, maximum: 2_147_483_647 } },
        additionalProperties: false,
      },
      outputSchema: { type: 'object', required: ['transactionId', 'balance'] },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    });
    await expect(client.readResource({ uri: 'loyalty://tools/segments_list' })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('every listed tool is described with its result, and without references to another document', async () => {
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    for (const { name } of tools) {
      const { inputSchema, outputSchema, description } = await read(`loyalty://tools/${name}`);
      expect(JSON.stringify({ inputSchema, outputSchema })).not.toContain('#/components/');
      expect([name, description]).toEqual([name, expect.stringMatching(/\S{3,}/)]);
      expect(inputSchema.additionalProperties).toBe(false);
    }
    expect((await read('loyalty://tools/members_get')).annotations).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
    });
    expect((await read('loyalty://tools/coupon_redeem')).annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
  });

  test('the schema is read as a whole and by type', async () => {
    const sdl = await readText('loyalty://schema', 'text/plain');
    expect(buildSchema(sdl).getQueryType()?.getFields()).toHaveProperty('member');
    const type = await readText('loyalty://schema/PointsTransaction', 'text/plain');
    expect(type).toMatch(/type PointsTransaction\b[^{]*\{/);
    expect(sdl).toContain(type);
  });

  test('every reason of an error is explained', async () => {
    const reasons = (await read('loyalty://reasons')) as { code: string; status: number; meaning: string }[];
    expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(Object.values(errorReasons).flat()));
    for (const { code, status, meaning } of reasons)
      expect([code, status, meaning]).toEqual([code, expect.any(Number), expect.stringMatching(/\S{3,}/)]);
    expect(reasons.find(({ code }) => code === 'MEMBER_NOT_FOUND')).toMatchObject({ status: 404 });
  });

  test.each([
    'loyalty://tools/constructor',
    'loyalty://tools/points_award/x',
    'loyalty://schema/__proto__',
    'loyalty://schema/_Service',
    'loyalty://reasons/x',
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
