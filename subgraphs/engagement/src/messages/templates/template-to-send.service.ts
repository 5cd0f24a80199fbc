import type { Context } from '@loyalty/platform/context';
import { notFound } from '@loyalty/platform/errors';
import { LRUCache } from 'lru-cache';
import type { MessageCategory } from '../messages/message.ts';
import type { CompiledContent } from '../rendering/compile-content.ts';
import { findVersion } from './template-versions.store.ts';
import { findTemplate } from './templates.store.ts';

/** A template as messages are made of it. */
export interface CompiledTemplate extends CompiledContent {
  readonly id: string;
  readonly version: number;
  readonly category: MessageCategory;
}

/** Characters of templates that a process remembers; versions never change. */
const REMEMBERED_MAX = 32 * 1024 * 1024;

const remembered = new LRUCache<string, CompiledTemplate>({
  maxSize: REMEMBERED_MAX,
  sizeCalculation: ({ html, text, subject }) => html.length + text.length + subject.length,
});

/**
 * A template for sending. Without a version it is the current one of a template that is not archived; a given
 * version is found for good, so that messages that wait can be sent with it.
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
  // Inside of a transaction the version may not be kept.
  if (!ctx.isInTransaction) remembered.set(key, template);
  return template;
}

async function currentNumber(ctx: Context, id: string): Promise<number> {
  const template = await findTemplate(ctx, id);
  if (!template || template.archivedAt) throw notFound('template', id);
  return template.version;
}
