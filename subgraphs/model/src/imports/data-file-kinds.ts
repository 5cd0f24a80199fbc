import type { Context } from '@loyalty/platform/context';
import { type FieldSet, fieldSet } from '@loyalty/platform/imports/import-fields';
import { rates } from '../credits/charges.ts';
import type { CheckedImport } from './data-imports.input.ts';
import { readEvent, readOrder, readReceipt } from './import-drafts.ts';
import { type DataImportKind, importFields } from './import-fields.ts';
import type { ImportPlan, IssueList } from './import-plan.ts';
import { factsPlan, planLines } from './imported-facts.ts';
import { planMembers } from './imported-members.ts';
import { planUpdates } from './imported-updates.ts';

interface FileKind {
  /** Fields that files may have; other columns are ignored. */
  readonly fields: FieldSet;
  /** Reads the rows of a file and finds their members and orders. */
  readonly plan: (ctx: Context, file: CheckedImport, issues: IssueList) => Promise<ImportPlan>;
  /** Credits for each new row. */
  readonly creditsPerRow: number;
  /** Its rows contain bought items or cancel orders, so new rows can change which items are popular. */
  readonly hasBoughtItems: boolean;
}

/** All kinds of files that can be imported. */
export const importKinds: Readonly<Record<DataImportKind, FileKind>> = {
  MEMBERS: {
    fields: fieldSet(importFields.MEMBERS),
    plan: planMembers,
    creditsPerRow: 0,
    hasBoughtItems: false,
  },
  ORDERS: {
    fields: fieldSet(importFields.ORDERS),
    plan: factsPlan('ORDERS', readOrder),
    creditsPerRow: 0,
    hasBoughtItems: false,
  },
  EVENTS: {
    fields: fieldSet(importFields.EVENTS),
    plan: factsPlan('EVENTS', readEvent),
    creditsPerRow: rates.event,
    hasBoughtItems: true,
  },
  ORDER_LINES: {
    fields: fieldSet(importFields.ORDER_LINES),
    plan: planLines,
    creditsPerRow: 0,
    hasBoughtItems: true,
  },
  CHANNEL_RECEIPTS: {
    fields: fieldSet(importFields.CHANNEL_RECEIPTS),
    plan: factsPlan('CHANNEL_RECEIPTS', readReceipt),
    creditsPerRow: 0,
    hasBoughtItems: false,
  },
  ORDER_UPDATES: {
    fields: fieldSet(importFields.ORDER_UPDATES),
    plan: planUpdates,
    creditsPerRow: 0,
    hasBoughtItems: true,
  },
};
