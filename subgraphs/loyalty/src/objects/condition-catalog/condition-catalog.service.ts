import type { Context } from '@loyalty/platform/context';
import type { ConditionCatalog } from '#generated/schema';
import { readCatalog } from './condition-catalog.store.ts';

/** What the workspace has defined that conditions of segments may name: one statement. */
export const conditionCatalog = (ctx: Context): Promise<ConditionCatalog> => readCatalog(ctx);
