import type { Context } from '@loyalty/platform/context';
import { loadReport } from '../reports/reports.service.ts';
import type { ModelVersion } from '../versions/model-version.ts';
import { type ModelCard, modelCard } from './model-card.ts';

/** The card of a version by its latest report; null before the first. */
export async function cardOf(ctx: Context, version: ModelVersion): Promise<ModelCard | null> {
  const report = version.reportId ? await loadReport(ctx, version.reportId) : null;
  return report && modelCard(version, report);
}
