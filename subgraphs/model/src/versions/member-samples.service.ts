import type { Context } from '@loyalty/platform/context';
import { readSampleTable } from '../estimators/sample-table.ts';
import {
  appendedSamples,
  deleteAppended,
  deleteSamples,
  entitiesOf,
  versionsWithText,
} from './member-samples.store.ts';
import { samplesOf } from './versions.service.ts';

/** A row of samples about a member: its cells by column, or in the column order of a schedule's base. */
export interface MemberSample {
  readonly versionId?: string;
  readonly scheduleId?: string;
  readonly cells: Readonly<Record<string, string>> | readonly string[];
}

/**
 * Returns the rows about a member in the samples of versions and schedules, for the export of the member's
 * data.
 */
export async function samplesAbout(ctx: Context, memberId: string): Promise<MemberSample[]> {
  const entities = await entitiesOf(ctx, memberId);
  const found: MemberSample[] = await appendedSamples(ctx, entities);
  for (const versionId of await versionsWithText(ctx, entities))
    found.push(...(await rowsAbout(ctx, versionId, new Set(entities))));
  return found;
}

async function rowsAbout(
  ctx: Context,
  versionId: string,
  entities: ReadonlySet<string>,
): Promise<MemberSample[]> {
  const content = await samplesOf(ctx, versionId);
  if (content === null) return [];
  const { header, rows } = readSampleTable(content);
  const place = header.indexOf('entity_id');
  return rows
    .filter(({ cells }) => entities.has(cells[place] ?? ''))
    .map(({ cells }) => ({
      versionId,
      cells: Object.fromEntries(header.map((column, at) => [column, cells[at]!])),
    }));
}

/**
 * Deletes the samples of every version that has a row about the member; must run before the member's mappings
 * are deleted. Models trained on them stay, as they contain nothing about single members; they cannot be
 * trained again.
 *
 * @remarks Source: GDPR article 17
 */
export async function forgetSamples(tx: Context, memberId: string): Promise<void> {
  const entities = await entitiesOf(tx, memberId);
  for (const versionId of await versionsWithText(tx, entities))
    if ((await rowsAbout(tx, versionId, new Set(entities))).length > 0) await deleteSamples(tx, versionId);
  await deleteAppended(tx, entities);
}
