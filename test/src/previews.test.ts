import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { engagement } from '@loyalty/engagement-subgraph/subgraph';
import { updateMessageTemplate } from '@loyalty/engagement-subgraph/templates/edit-template.service';
import { createMessageTemplate } from '@loyalty/engagement-subgraph/templates/templates.service';
import { defineCustomField } from '@loyalty/loyalty-subgraph/fields/custom-fields.service';
import { given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { createMailer } from '@loyalty/platform/outbound/mail';
import { askOf } from './harness/ask.ts';
import { useServices } from './harness/services.ts';

const { services, ctx, newContext, fresh, beforeClose } = useServices();
const ask = askOf(engagement);

const source = '<p>Hi {{ member.first_name }}, {{ data.what | default: "nothing" }}</p>';
const create = (of: Context, subject = 'For {{ member.full_name }}') =>
  createMessageTemplate(of, { name: `Template ${newId(of.clock)}`, category: 'MARKETING', subject, source });
const member = (of: Context) => given.member(of, { fullName: 'Ada <King>' });

const PREVIEW = `query ($id: ID!, $number: PositiveInt, $memberId: ID, $data: JSONObject) {
  previewMessageTemplate(id: $id, number: $number, memberId: $memberId, data: $data) { subject html text } }`;
const UNSAVED = `query ($input: PreviewMessageInput!, $memberId: ID, $data: JSONObject) {
  previewMessage(input: $input, memberId: $memberId, data: $data) { subject html text } }`;
const TEST = `mutation ($id: ID!, $to: String!, $memberId: ID) {
  testMessageTemplate(id: $id, to: $to, memberId: $memberId) { isAccepted error } }`;

describe('a preview', () => {
  test('shows a version as the member would get it, unmasked and escaped', async () => {
    const { id } = await create(ctx);
    const { id: memberId } = await member(ctx);
    await updateMessageTemplate(ctx, id, { subject: 'Second' });
    const variables = { id, memberId, data: { what: 'A&B' } };
    const second = (await ask(ctx, PREVIEW, variables)).data.previewMessageTemplate;
    expect(second.subject).toBe('Second');
    expect(second.html).toContain('<p>Hi Ada, A&amp;B</p>');
    expect(second.html).toContain('href="#unsubscribe"');
    expect(second.text).toContain('Hi Ada, A&B');
    const first = (await ask(ctx, PREVIEW, { ...variables, number: 1 })).data.previewMessageTemplate;
    expect(first.subject).toBe('For Ada <King>');
  });

  test('without a member shows a made-up one, custom fields too', async () => {
    await defineCustomField(ctx, { key: 'colour', label: 'Colour', type: 'TEXT' });
    const input = { subject: '{{ colour }}', source: '{{ member.first_name }} {{ member.points_balance }}' };
    const { previewMessage } = (await ask(ctx, UNSAVED, { input })).data;
    expect(previewMessage).toEqual({ subject: '(colour)', html: 'Alex 120', text: 'Alex 120' });
  });

  test('of unsaved content is compiled, and refused with the place where it is not valid', async () => {
    const mjml = (text: string) =>
      `<mjml><mj-body><mj-section><mj-column>\n<mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;
    const input = { subject: 'x', format: 'MJML', source: mjml('{{ data.a }}'), category: 'MARKETING' };
    const { previewMessage } = (await ask(ctx, UNSAVED, { input, data: { a: '<a>' } })).data;
    expect(previewMessage.html).toContain('&lt;a&gt;');
    expect(previewMessage.text).toContain('Unsubscribe: #unsubscribe');
    const refused = await ask(ctx, UNSAVED, { input: { ...input, source: mjml('{{ data.a | nope }}') } });
    expect([refused.reason, refused.message]).toEqual([
      'TEMPLATE_INVALID',
      'input.source is no valid Liquid template: undefined filter: nope, at line 2, column 10.',
    ]);
  });

  test('that lacks a value says which, and where', async () => {
    const input = { subject: 'x', source: 'a\n{{ data.total }}' };
    const { code, reason, message } = await ask(ctx, UNSAVED, { input });
    expect([code, reason]).toEqual(['BAD_USER_INPUT', 'RENDER_FAILED']);
    expect(message).toBe('data.total has no value, at line 2, column 4 of the html.');
  });

  test('is not found for a template or a member of another workspace', async () => {
    const { id } = await create(ctx);
    const stranger = await member(newContext());
    const reasonOf = async (of: Context, variables: object) =>
      (await ask(of, PREVIEW, { id, ...variables })).reason;
    expect(await reasonOf(ctx, { memberId: stranger.id })).toBe('MEMBER_NOT_FOUND');
    expect(await reasonOf(ctx, { number: 9 })).toBe('TEMPLATE_VERSION_NOT_FOUND');
    expect(await reasonOf(newContext(), {})).toBe('TEMPLATE_NOT_FOUND');
  });

  test('needs to read campaigns and members, since it shows personal data', async () => {
    const { id } = await create(ctx);
    const reasonOf = async (...scopes: string[]) =>
      (await ask(fresh({ kind: 'KEY', scopes }), PREVIEW, { id })).reason;
    expect(await reasonOf('campaigns:read')).toBe('SCOPE_MISSING');
    expect(await reasonOf('members:read')).toBe('SCOPE_MISSING');
    expect(await reasonOf('campaigns:read', 'members:read')).toBeUndefined();
  });
});

describe('a test', () => {
  /** A context whose e-mails are written to files, and a function that reads them. */
  async function withMail() {
    const directory = await mkdtemp(join(tmpdir(), 'loyalty-previews-'));
    beforeClose(() => rm(directory, { recursive: true }));
    const mailer = createMailer({ from: 'no-reply@example.com', directory });
    // With a mail server in the settings, the provider of the platform uses the mailer.
    const config = { ...services.config, MAIL_URL: 'smtp://mail.example.com' };
    const sender = createContext({ ...services, config, mailer }, { caller: ctx.caller, requestId: 'test' });
    // Removes the soft line breaks of quoted-printable.
    const read = async (name: string) =>
      (await readFile(join(directory, name), 'utf8')).replaceAll('=\r\n', '');
    const sent = async () => Promise.all((await readdir(directory)).map(read));
    return { sender, sent };
  }

  test('is sent to the address, marked as a test, and is no message of the member', async () => {
    const { sender, sent } = await withMail();
    const { id } = await create(ctx);
    const { id: memberId } = await member(ctx);
    const { data } = await ask(sender, TEST, { id, to: 'Me@Example.com', memberId });
    expect(data.testMessageTemplate).toEqual({ isAccepted: true, error: null });
    const [mail, ...others] = await sent();
    expect(others).toEqual([]);
    for (const part of [
      'Subject: [Test] For Ada <King>\r\n',
      'To: me@example.com\r\n',
      '<p>Hi Ada, nothing</p>',
    ])
      expect(mail).toContain(part);
    const kept = await ctx.sql.query<{ row: string }>(
      `SELECT m::text AS row FROM engagement.messages AS m WHERE workspace_id = $1
        UNION ALL SELECT a::text FROM platform.audit_entries AS a
         WHERE workspace_id = $1 AND action = 'testMessageTemplate'`,
      [ctx.scope.workspaceId],
    );
    expect(kept).toHaveLength(1);
    expect(kept[0]?.row).not.toMatch(/example\.com|Ada/i);
  });

  test('has one line for a subject, whatever the values', async () => {
    const { sender, sent } = await withMail();
    const { id } = await create(ctx, 'x {{ member.full_name }}');
    const { id: memberId } = await given.member(ctx, { fullName: 'A\nBcc: eve@example.com' });
    await ask(sender, TEST, { id, to: 'me@example.com', memberId });
    const [mail] = await sent();
    expect(mail).toContain('Subject: [Test] x A Bcc: eve@example.com\r\n');
    expect(mail).not.toMatch(/^bcc:/im);
  });

  test('is refused after sixty in an hour', async () => {
    const { sender, sent } = await withMail();
    const { id } = await create(ctx);
    const document = `mutation { ${Array.from({ length: 61 }, (_, place) => `t${place}: testMessageTemplate(id: "${id}", to: "a@example.com") { isAccepted }`).join(' ')} }`;
    expect((await ask(sender, document)).reason).toBe('RATE_LIMITED');
    expect(await sent()).toHaveLength(60);
  });

  test('is for admins only, and contacts nobody in test mode', async () => {
    const { id } = await create(ctx);
    const variables = { id, to: 'me@example.com' };
    for (const caller of [{ role: 'MEMBER' }, { kind: 'KEY', scopes: ['*'] }, { mode: 'TEST' }] as const)
      expect((await ask(fresh(caller), TEST, variables)).code).toBe('FORBIDDEN');
    expect((await ask(ctx, TEST, { id, to: 'nobody' })).message).toMatch(/^to must be an e-mail address/);
  });
});
