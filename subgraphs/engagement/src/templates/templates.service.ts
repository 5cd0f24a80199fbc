import { type AppError, conflict, notFound } from '@loyalty/platform/base/errors';
import { gatheredWith } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { LRUCache } from 'lru-cache';
import type { MessageCategory } from '../messages/message.ts';
import { findCustomFieldKeys } from '../peers.ts';
import {
  type CompiledContent,
  compileContent,
  compileInline,
  type WrittenContent,
} from './compile-content.ts';
import type { TemplateFormat } from './compile-source.ts';
import {
  archiveTemplate,
  currentVersionByTemplate,
  findTemplate,
  findVersion,
  insertTemplate,
  insertVersion,
  lockNames,
  type MessageTemplate,
  type MessageTemplateVersion,
  restoreVersion,
  templateById,
  templatesPage,
  versionsOfTemplate,
} from './templates.store.ts';

export type { MessageCategory, MessageTemplate, MessageTemplateVersion };

export { compileInline };

const NAME_MAX = 100;

const VERSIONS_PAGE = 20;

/**
 * Lists templates of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 */
export const listMessageTemplates = async (
  ctx: Context,
  args: PageArgs & {
    readonly category?: MessageCategory | null | undefined;
    readonly isArchived?: boolean | null | undefined;
  },
): Promise<Page<MessageTemplate>> =>
  templatesPage(ctx, pageRequest(args), {
    category: args.category ?? null,
    isArchived: args.isArchived ?? false,
  });

/** Returns a template, also an archived one; null if the workspace has no such template. */
export const findMessageTemplate = (ctx: Context, id: string): Promise<MessageTemplate | null> =>
  ctx.load(templateById, id);

/** Returns the current version of a template. Batched by template. */
export async function currentVersion(
  ctx: Context,
  template: MessageTemplate,
): Promise<MessageTemplateVersion> {
  return (await ctx.load(currentVersionByTemplate, template.id))!;
}

/**
 * Lists the versions of a template, newest first. Batched by template.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 */
export async function listVersions(
  ctx: Context,
  template: MessageTemplate,
  args: PageArgs,
): Promise<Page<MessageTemplateVersion>> {
  const request = pageRequest(args, VERSIONS_PAGE, undefined, isVersionNumber);
  // Numbers have no gaps, so the version is the count.
  return page(request, await versionsOfTemplate(ctx, template.id, request), async () => template.version);
}

const isVersionNumber = (id: string): boolean => /^[1-9][0-9]{0,8}$/.test(id);

export interface CreateMessageTemplate {
  readonly name: string;
  readonly category: MessageCategory;
  readonly subject: string;
  readonly format?: TemplateFormat | null | undefined;
  readonly source: string;
  readonly text?: string | null | undefined;
}

/**
 * Creates a template with its first version, checked and compiled.
 *
 * @throws AppError VALIDATION_FAILED, TEMPLATE_INVALID (400), TEMPLATE_EXISTS (409), PEER_UNAVAILABLE (503)
 */
export async function createMessageTemplate(
  ctx: Context,
  input: CreateMessageTemplate,
): Promise<MessageTemplate> {
  const { category, subject, source, text = null } = input;
  const format = input.format ?? 'HTML';
  const compile = () => compileFor(ctx, category, { subject, format, source, text });
  const name = await gatheredWith(() => checkName(input.name), compile);
  const content = await compile();
  return ctx.transaction(async (tx) => {
    await lockNames(tx);
    const template = await insertTemplate(tx, { id: newId(tx.clock), name, category });
    if (!template) throw nameTaken();
    await insertVersion(tx, template.id, { ...content, number: 1, format, source });
    await auditTemplate(tx, 'createMessageTemplate', null, template);
    return template;
  });
}

/**
 * Creates the next version from the compiled content of an earlier version.
 *
 * @throws AppError TEMPLATE_NOT_FOUND, TEMPLATE_VERSION_NOT_FOUND (404), TEMPLATE_ARCHIVED (409)
 */
export async function restoreMessageTemplateVersion(
  ctx: Context,
  id: string,
  number: number,
): Promise<MessageTemplate> {
  return ctx.transaction(async (tx) => {
    const after = await restoreVersion(tx, id, number);
    if (!after) {
      refuseArchived(await getTemplate(tx, id));
      throw notFound('template version', String(number));
    }
    await auditTemplate(tx, 'restoreMessageTemplateVersion', { restored: number }, after);
    return after;
  });
}

/**
 * Archives a template permanently. Has no effect on an archived template.
 *
 * @throws AppError TEMPLATE_NOT_FOUND (404)
 */
export async function archiveMessageTemplate(ctx: Context, id: string): Promise<MessageTemplate> {
  return ctx.transaction(async (tx) => {
    const after = await archiveTemplate(tx, id);
    if (!after) return getTemplate(tx, id);
    await auditTemplate(tx, 'archiveMessageTemplate', null, after);
    return after;
  });
}

/** Returns a version with its template's category. @throws AppError TEMPLATE_VERSION_NOT_FOUND (404) */
export async function getTemplateVersion(
  ctx: Context,
  id: string,
  number: number,
): Promise<MessageTemplateVersion & { readonly category: MessageCategory }> {
  const version = await findVersion(ctx, id, number);
  if (version) return version;
  await getTemplate(ctx, id);
  throw notFound('template version', String(number));
}

/** Returns the current template. @throws AppError TEMPLATE_NOT_FOUND (404) */
export async function getTemplate(ctx: Context, id: string): Promise<MessageTemplate> {
  const template = await findTemplate(ctx, id);
  if (!template) throw notFound('template', id);
  return template;
}

/** Checks and compiles a written template. @throws AppError as `compileContent`; PEER_UNAVAILABLE (503) */
export const compileFor = (
  ctx: Context,
  category: MessageCategory,
  written: WrittenContent,
): Promise<CompiledContent> =>
  compileContent(ctx, written, {
    customFields: async () => new Set(await findCustomFieldKeys(ctx)),
    needsLink: category === 'MARKETING',
  });

/** @throws AppError VALIDATION_FAILED (400) */
export const checkName = (name: string): string => checkText('input.name', name, NAME_MAX);

/** @throws AppError TEMPLATE_ARCHIVED (409) */
export function refuseArchived({ archivedAt }: MessageTemplate): void {
  if (archivedAt) throw conflict('TEMPLATE_ARCHIVED', 'The template is archived. Use another one.');
}

export const nameTaken = (): AppError =>
  conflict('TEMPLATE_EXISTS', 'A template has this name. Choose another.', { field: 'input.name' });

/** Audits a change. The content itself is stored as a version. */
export function auditTemplate(
  tx: Context,
  action: string,
  before: Readonly<Record<string, unknown>> | null,
  { id, name, category, version, archivedAt }: MessageTemplate,
): Promise<void> {
  const after = { name, category, version, archivedAt };
  return audit(tx, { action, resourceType: 'MessageTemplate', resourceId: id, before, after });
}

/** A template that is ready for rendering messages. */
export interface CompiledTemplate extends CompiledContent {
  readonly id: string;
  readonly version: number;
  readonly category: MessageCategory;
}

/** Size of the cache of templates, in characters. Versions never change. */
const REMEMBERED_MAX = 32 * 1024 * 1024;

const remembered = new LRUCache<string, CompiledTemplate>({
  maxSize: REMEMBERED_MAX,
  sizeCalculation: ({ html, text, subject }) => html.length + text.length + subject.length,
});

/**
 * Returns a template for sending. Without a version, it is the current version of a template that is not
 * archived. A given version is always found, so that waiting messages can be sent with it.
 *
 * @throws AppError TEMPLATE_NOT_FOUND (404)
 */
export async function templateToSend(ctx: Context, id: string, version?: number): Promise<CompiledTemplate> {
  const number = version ?? (await currentNumber(ctx, id));
  const key = `${ctx.scope.workspaceId}:${id}:${number}`;
  const known = remembered.get(key);
  if (known) return known;
  const found = await findVersion(ctx, id, number);
  if (!found) throw notFound('template', id);
  const { category, subject, html, text } = found;
  const template = { id, version: number, category, subject, html, text };
  // The version of an open transaction may be rolled back.
  if (!ctx.isInTransaction) remembered.set(key, template);
  return template;
}

async function currentNumber(ctx: Context, id: string): Promise<number> {
  const template = await findTemplate(ctx, id);
  if (!template || template.archivedAt) throw notFound('template', id);
  return template.version;
}
