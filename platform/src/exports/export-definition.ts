import { z } from 'zod';
import type { Context } from '../context.ts';
import { type EventType, event } from '../work/events.ts';

export type ExportKind = 'MEMBERS' | 'POINTS' | 'ORDERS' | 'COUPONS' | 'AUDIT';

/** What a cell holds: a time is written as ISO 8601, an object as JSON. */
export type Cell = string | number | bigint | boolean | Date | object | null;

/** One page of a list. */
export interface ListPage {
  /** Cells in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
  /** Where the next page begins; null after the last one. */
  readonly after: string | null;
}

/** A list that was found in order to be written. */
export interface OpenList {
  count(): Promise<number>;
  /**
   * Reads a page behind a place in the list. The place is made of values that never change, or of the values
   * themselves, so that what changes meanwhile moves no other row.
   */
  read(ctx: Context, after: string | null, size: number): Promise<ListPage>;
}

const requested = z.object({ listExportId: z.uuid(), rows: z.int().nonnegative() });

/**
 * One kind of export, defined by the package that owns the list. Start, job and file read what they must know
 * of the kind here.
 */
export interface ExportDefinition<Filter = unknown> {
  readonly kind: ExportKind;
  /** Names of the columns, and of the fields of JSON. */
  readonly columns: readonly string[];
  /** Conditions of the list, as they are stored until the job reads them. */
  readonly filter: z.ZodType<Filter>;
  /** Conditions that may be a person's: the audit log says only that they were given. */
  readonly searched?: readonly (keyof Filter & string)[];
  /** Checks the conditions, and finds the list. */
  readonly open: (ctx: Context, filter: Filter) => Promise<OpenList>;
  /** Name of the job that writes the file. */
  readonly job: string;
  /** Starts the job. */
  readonly requested: EventType<z.infer<typeof requested>>;
}

/** The event that starts the job of a kind. */
export const exportRequested = (type: string): ExportDefinition['requested'] => event(type, requested);
