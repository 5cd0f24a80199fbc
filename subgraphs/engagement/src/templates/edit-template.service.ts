import { type AppError, conflict } from '@loyalty/platform/base/errors';
import { type Given, given } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import type { CompiledContent, WrittenContent } from './compile-content.ts';
import {
  auditTemplate,
  checkName,
  compileFor,
  getTemplate,
  getTemplateVersion,
  type MessageTemplate,
  type MessageTemplateVersion,
  nameTaken,
  refuseArchived,
} from './templates.service.ts';
import { changeTemplate, insertVersion, lockNames, nameIsTaken } from './templates.store.ts';

/** How often a change is repeated after another editor has saved. */
const ROUNDS_MAX = 20;

export interface UpdateMessageTemplate extends Given<Omit<WrittenContent, 'text'>> {
  readonly name?: string | null | undefined;
  readonly text?: string | null | undefined;
  readonly ifVersion?: number | null | undefined;
}

/**
 * Changes a template. Absent fields do not change. A change of content creates the next version; a change of
 * the name alone does not. If another editor saved meanwhile, the change is applied to their version, unless
 * `ifVersion` is given.
 *
 * @throws AppError VALIDATION_FAILED, TEMPLATE_INVALID (400), TEMPLATE_NOT_FOUND (404), TEMPLATE_EXISTS,
 * TEMPLATE_ARCHIVED, TEMPLATE_CHANGED (409), PEER_UNAVAILABLE (503)
 */
export async function updateMessageTemplate(
  ctx: Context,
  id: string,
  input: UpdateMessageTemplate,
): Promise<MessageTemplate> {
  const name = input.name ? checkName(input.name) : null;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = await getTemplate(ctx, id);
    refuseArchived(before);
    if (input.ifVersion && input.ifVersion !== before.version) throw changed(before.version);
    const after = await tryUpdate(ctx, before, input, name);
    if (after) return after;
  }
  throw changed(null);
}

/** Returns null if another editor saved first. */
async function tryUpdate(
  ctx: Context,
  before: MessageTemplate,
  input: UpdateMessageTemplate,
  name: string | null,
): Promise<MessageTemplate | null> {
  // Compiled before the transaction, because the transaction locks the template.
  const next = await nextContent(ctx, before, input);
  if (!next && (name ?? before.name) === before.name) return before;
  return ctx.transaction(async (tx) => {
    if (name !== null) {
      await lockNames(tx);
      if (await nameIsTaken(tx, name, before.id)) throw nameTaken();
    }
    const after = await changeTemplate(tx, before, { name, isNewVersion: next !== null });
    if (!after) return null;
    if (next) await insertVersion(tx, before.id, { ...next, number: after.version });
    const { name: nameBefore, version } = before;
    await auditTemplate(tx, 'updateMessageTemplate', { name: nameBefore, version }, after);
    return after;
  });
}

/** Returns the content of the next version; null if the input does not change the content. */
async function nextContent(
  ctx: Context,
  { id, version, category }: MessageTemplate,
  input: UpdateMessageTemplate,
): Promise<(CompiledContent & WrittenContent) | null> {
  const current = await getTemplateVersion(ctx, id, version);
  const written = merged(current, input);
  if (!written) return null;
  const { format, source } = written;
  const next = { format, source, ...(await compileFor(ctx, category, written)) };
  const parts = ['subject', 'format', 'source', 'html', 'text'] as const;
  return parts.some((part) => next[part] !== current[part]) ? next : null;
}

/** Returns the content to compile; null if the input has no content. */
function merged(current: MessageTemplateVersion, input: UpdateMessageTemplate): WrittenContent | null {
  const { subject, format, source } = given({
    subject: input.subject,
    format: input.format,
    source: input.source,
  });
  const isMarkup = format !== undefined || source !== undefined;
  if (subject === undefined && !isMarkup && input.text === undefined) return null;
  return {
    subject: subject ?? current.subject,
    format: format ?? current.format,
    source: source ?? current.source,
    text: input.text === undefined && !isMarkup ? current.text : (input.text ?? null),
  };
}

function changed(version: number | null): AppError {
  const now = version ? `Version ${version} is current by now.` : 'Others are changing the template.';
  return conflict('TEMPLATE_CHANGED', `${now} Load the template again, then make your change.`, {
    field: 'input.ifVersion',
  });
}
