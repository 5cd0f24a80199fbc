import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { engagement } from '../subgraph.ts';
import { updateMessageTemplate } from './edit-template.service.ts';
import {
  archiveMessageTemplate,
  type CreateMessageTemplate,
  createMessageTemplate,
  findMessageTemplate,
  getTemplateVersion,
  restoreMessageTemplateVersion,
  templateToSend,
} from './templates.service.ts';

const { services, ctx, newContext, fresh } = useServices();
const ask = askOf(engagement);

let made = 0;
const create = (of: Context, input: Partial<CreateMessageTemplate> = {}) => {
  made += 1;
  const name = `Template ${made}`;
  return createMessageTemplate(of, {
    ...{ name, category: 'TRANSACTIONAL', subject: 'Hello', source: '<p>one</p>' },
    ...input,
  });
};

const contentOf = async (of: Context, id: string, number: number) => {
  const { subject, source, text } = await getTemplateVersion(of, id, number);
  return { subject, source, text };
};

test('a template is created, read and listed with its version', async () => {
  const input = { name: 'Receipt', category: 'TRANSACTIONAL', subject: 'Thanks', source: '<b>Hi</b>' };
  const document = `mutation ($input: CreateMessageTemplateInput!) { createMessageTemplate(input: $input) {
    id name category archivedAt version { number subject format source html text createdBy { id } }
    versions { nodes { number } totalCount } } }`;
  const { data } = await ask(ctx, document, { input });
  const { id, ...created } = data.createMessageTemplate;
  expect(created).toEqual({
    ...{ name: 'Receipt', category: 'TRANSACTIONAL', archivedAt: null },
    version: {
      ...{ number: 1, subject: 'Thanks', format: 'HTML', source: '<b>Hi</b>', html: '<b>Hi</b>', text: 'Hi' },
      createdBy: { id: ctx.scope.workspaceId },
    },
    versions: { nodes: [{ number: 1 }], totalCount: 1 },
  });
  const read = await ask(ctx, `{ messageTemplate(id: "${id}") { name } messageTemplates { nodes { id } } }`);
  expect(read.data).toEqual({ messageTemplate: { name: 'Receipt' }, messageTemplates: { nodes: [{ id }] } });
});

describe('a change', () => {
  test('of content makes the next version, and what was is kept', async () => {
    const { id } = await create(ctx);
    expect((await updateMessageTemplate(ctx, id, { subject: 'Two' })).version).toBe(2);
    expect((await updateMessageTemplate(ctx, id, { source: '<p>three</p>' })).version).toBe(3);
    expect(await contentOf(ctx, id, 1)).toEqual({ subject: 'Hello', source: '<p>one</p>', text: 'one' });
    expect(await contentOf(ctx, id, 3)).toEqual({ subject: 'Two', source: '<p>three</p>', text: 'three' });
  });

  test('of the name alone, or of nothing, makes none', async () => {
    const { id } = await create(ctx);
    expect(await updateMessageTemplate(ctx, id, { name: 'New' })).toMatchObject({ name: 'New', version: 1 });
    expect((await updateMessageTemplate(ctx, id, { subject: 'Hello', source: '<p>one</p>' })).version).toBe(
      1,
    );
    expect((await updateMessageTemplate(ctx, id, {})).version).toBe(1);
  });

  test('keeps a text of its own until the source changes, and null makes it from the source', async () => {
    const { id } = await create(ctx, { text: 'own' });
    await updateMessageTemplate(ctx, id, { subject: 'Two' });
    expect((await contentOf(ctx, id, 2)).text).toBe('own');
    await updateMessageTemplate(ctx, id, { text: null });
    expect((await contentOf(ctx, id, 3)).text).toBe('one');
  });

  test('on a version that is no longer current is refused and changes nothing', async () => {
    const { id } = await create(ctx);
    await updateMessageTemplate(ctx, id, { subject: 'Two', ifVersion: 1 });
    await expect(updateMessageTemplate(ctx, id, { subject: 'Mine', ifVersion: 1 })).rejects.toMatchObject({
      code: 'TEMPLATE_CHANGED',
      category: 'CONFLICT',
      message: 'Version 2 is current by now. Load the template again, then make your change.',
    });
    expect((await getTemplateVersion(ctx, id, 2)).subject).toBe('Two');
  });

  test('by twelve editors at once gives each a number of its own, and loses no field', async () => {
    const { id } = await create(ctx);
    const edits = Array.from({ length: 12 }, (_, place) =>
      place % 2 === 0 ? { subject: `Subject ${place}` } : { source: `<p>${place}</p>` },
    );
    await Promise.all(edits.map((edit) => updateMessageTemplate(fresh(), id, edit)));
    const numbers = Array.from({ length: 13 }, (_, place) => place + 1);
    const versions = await Promise.all(numbers.map((number) => contentOf(ctx, id, number)));
    expect((await findMessageTemplate(fresh(), id))?.version).toBe(13);
    for (const [place, after] of versions.entries()) {
      if (place === 0) continue;
      const before = versions[place - 1]!;
      expect([after.subject === before.subject, after.source === before.source].toSorted()).toEqual([
        ...[false, true],
      ]);
    }
  });

  test('by ten editors of one version lets one through', async () => {
    const { id } = await create(ctx);
    const edits = Array.from({ length: 10 }, (_, place) =>
      updateMessageTemplate(fresh(), id, { subject: `Subject ${place}`, ifVersion: 1 }),
    );
    const results = await Promise.allSettled(edits);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await findMessageTemplate(fresh(), id))?.version).toBe(2);
  });

  test('that is refused says where, and keeps nothing', async () => {
    const { id } = await create(ctx);
    const document = `mutation { updateMessageTemplate(id: "${id}", input: {source: "a\\n{{ x }}"}) { id } }`;
    const { code, reason, message } = await ask(ctx, document);
    expect([code, reason]).toEqual(['BAD_USER_INPUT', 'TEMPLATE_INVALID']);
    expect(message).toContain('input.source uses the unknown variable x:');
    expect(message).toContain('at line 2, column 4.');
    expect((await findMessageTemplate(fresh(), id))?.version).toBe(1);
  });
});

describe('restoring a version', () => {
  test('makes its content the next version', async () => {
    const { id } = await create(ctx, { text: 'own' });
    await updateMessageTemplate(ctx, id, { source: '<p>two</p>', subject: 'Two' });
    expect((await restoreMessageTemplateVersion(ctx, id, 1)).version).toBe(3);
    expect(await contentOf(ctx, id, 3)).toEqual(await contentOf(ctx, id, 1));
  });

  test('is refused where the version or the template does not exist', async () => {
    const { id } = await create(ctx);
    const restore = restoreMessageTemplateVersion(ctx, id, 2);
    await expect(restore).rejects.toMatchObject({ code: 'TEMPLATE_VERSION_NOT_FOUND' });
    const unknown = restoreMessageTemplateVersion(ctx, newId(ctx.clock), 1);
    await expect(unknown).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
  });
});

describe('a name', () => {
  const taken = { code: 'TEMPLATE_EXISTS', details: { field: 'input.name' } };

  test('is unique among the templates in use, and archiving frees it', async () => {
    const { id } = await create(ctx, { name: 'Welcome' });
    const other = await create(ctx, { name: 'Other' });
    await expect(create(ctx, { name: 'Welcome' })).rejects.toMatchObject(taken);
    await expect(updateMessageTemplate(ctx, other.id, { name: 'Welcome' })).rejects.toMatchObject(taken);
    await create(newContext(), { name: 'Welcome' });
    await archiveMessageTemplate(ctx, id);
    expect((await updateMessageTemplate(ctx, other.id, { name: 'Welcome' })).name).toBe('Welcome');
  });

  test('that ten want at once, new or for another template, is given to one', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => create(ctx)));
    const wants = [
      ...others.map(({ id }) => updateMessageTemplate(fresh(), id, { name: 'Same' })),
      ...others.map(() => create(fresh(), { name: 'Same' })),
    ];
    const results = await Promise.allSettled(wants);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(taken);
  });

  test.each(['', ' ', 'x'.repeat(101)])('%j is none', async (name) => {
    await expect(create(ctx, { name })).rejects.toMatchObject({ details: { field: 'input.name' } });
  });
});

describe('an archived template', () => {
  test('is listed apart, cannot be changed, and stays as it is', async () => {
    const { id } = await create(ctx);
    const kept = await create(ctx, { category: 'MARKETING' });
    const { archivedAt } = await archiveMessageTemplate(ctx, id);
    services.clock.advance(60_000);
    expect((await archiveMessageTemplate(ctx, id)).archivedAt).toEqual(archivedAt);
    const archived = { code: 'TEMPLATE_ARCHIVED' };
    await expect(updateMessageTemplate(ctx, id, { name: 'x' })).rejects.toMatchObject(archived);
    await expect(restoreMessageTemplateVersion(ctx, id, 1)).rejects.toMatchObject(archived);
    const list = `{ used: messageTemplates { nodes { id } }
      old: messageTemplates(isArchived: true) { nodes { id } }
      marketing: messageTemplates(category: MARKETING) { totalCount }
      transactional: messageTemplates(category: TRANSACTIONAL) { totalCount } }`;
    expect((await ask(fresh(), list)).data).toEqual({
      ...{ used: { nodes: [{ id: kept.id }] }, old: { nodes: [{ id }] } },
      ...{ marketing: { totalCount: 1 }, transactional: { totalCount: 0 } },
    });
  });

  test('is sent only where its version is given, for messages that wait', async () => {
    const { id } = await create(ctx);
    await archiveMessageTemplate(ctx, id);
    await expect(templateToSend(ctx, id)).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    expect((await templateToSend(ctx, id, 1)).html).toBe('<p>one</p>');
  });
});

describe('a template to send', () => {
  test('is the current version, and a given one costs no statement the second time', async () => {
    const { id } = await create(ctx, { category: 'MARKETING' });
    await updateMessageTemplate(ctx, id, { subject: 'Two' });
    const sent = await templateToSend(ctx, id);
    expect(sent).toMatchObject({ id, version: 2, category: 'MARKETING', subject: 'Two' });
    services.statements.length = 0;
    expect(await templateToSend(fresh(), id, 2)).toBe(sent);
    expect(services.statements).toEqual([]);
  });

  test('is not that of another workspace, nor of a transaction that failed', async () => {
    const { id } = await create(ctx);
    await templateToSend(ctx, id);
    await expect(templateToSend(newContext(), id)).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    await expect(templateToSend(newContext(), id, 1)).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    const failing = ctx.transaction(async (tx) => {
      await updateMessageTemplate(tx, id, { subject: 'Lost' });
      expect((await templateToSend(tx, id)).subject).toBe('Lost');
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    await expect(templateToSend(ctx, id, 2)).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
  });
});

test('another workspace neither sees nor changes a template', async () => {
  const { id } = await create(ctx);
  const other = newContext();
  expect((await ask(other, `{ messageTemplate(id: "${id}") { name } }`)).data.messageTemplate).toBeNull();
  for (const act of [
    () => updateMessageTemplate(other, id, { name: 'x' }),
    () => restoreMessageTemplateVersion(other, id, 1),
    () => archiveMessageTemplate(other, id),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
});

test('a test credential reads templates and changes none; keys need their scope, people the role', async () => {
  const { id } = await create(ctx);
  const read = `{ messageTemplate(id: "${id}") { name } }`;
  const archive = `mutation { archiveMessageTemplate(id: "${id}") { id } }`;
  expect((await ask(fresh({ mode: 'TEST' }), read)).data.messageTemplate).not.toBeNull();
  expect((await ask(fresh({ mode: 'TEST' }), archive)).code).toBe('FORBIDDEN');
  expect((await ask(fresh({ kind: 'KEY', scopes: ['campaigns:read'] }), archive)).reason).toBe(
    'SCOPE_MISSING',
  );
  expect((await ask(fresh({ kind: 'KEY', scopes: ['members:read'] }), read)).reason).toBe('SCOPE_MISSING');
  expect((await ask(fresh({ role: 'MEMBER' }), archive)).code).toBe('FORBIDDEN');
  expect((await ask(fresh({ kind: 'KEY', scopes: ['campaigns:write'] }), archive)).code).toBeUndefined();
});

test('every change is in the audit log, without the content', async () => {
  const { id } = await create(ctx, { source: '<p>secret plan</p>' });
  await updateMessageTemplate(ctx, id, { source: '<p>secret plan B</p>' });
  await restoreMessageTemplateVersion(ctx, id, 1);
  await archiveMessageTemplate(ctx, id);
  const rows = await ctx.sql.query<{ action: string; row: string }>(
    `SELECT action, a::text AS row FROM platform.audit_entries AS a WHERE workspace_id = $1 ORDER BY id`,
    [ctx.scope.workspaceId],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'createMessageTemplate',
    'updateMessageTemplate',
    'restoreMessageTemplateVersion',
    'archiveMessageTemplate',
  ]);
  for (const { row } of rows) expect(row).not.toContain('secret');
});

test('versions are read in pages from either end, and fifty templates cost as many statements as one', async () => {
  const { id } = await create(ctx);
  for (const subject of ['2', '3', '4']) await updateMessageTemplate(ctx, id, { subject });
  const pages = `query ($after: String) { messageTemplate(id: "${id}") {
    versions(first: 2, after: $after) { nodes { number } pageInfo { hasNextPage endCursor } totalCount }
    oldest: versions(last: 1) { nodes { number } } } }`;
  const { versions, oldest } = (await ask(ctx, pages)).data.messageTemplate;
  expect(versions).toMatchObject({ nodes: [{ number: 4 }, { number: 3 }], totalCount: 4 });
  expect(oldest.nodes).toEqual([{ number: 1 }]);
  const next = (await ask(ctx, pages, { after: versions.pageInfo.endCursor })).data.messageTemplate;
  expect(next.versions.nodes).toEqual([{ number: 2 }, { number: 1 }]);

  const list = `query ($first: Int) { messageTemplates(first: $first) { nodes { version { subject } versions { nodes { number } } } } }`;
  const statementsFor = async (first: number) => {
    services.statements.length = 0;
    const { data } = await ask(fresh(), list, { first });
    expect(data.messageTemplates.nodes).toHaveLength(first);
    return services.statements.length;
  };
  for (let count = 1; count < 50; count += 1) await create(ctx);
  expect(await statementsFor(50)).toBe(await statementsFor(1));
});
