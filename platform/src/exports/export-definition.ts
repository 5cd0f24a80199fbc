import { z } from 'zod';
import type { Context } from '../context.ts';
import { type EventType, event } from '../work/events.ts';

export type ExportKind = 'MEMBERS' | 'POINTS' | 'ORDERS' | 'COUPONS' | 'AUDIT';

/** Value of a cell. A time is written as ISO 8601, an object as JSON. */
export type Cell = string | number | bigint | boolean | Date | object | null;

/** One page of a list. */
export interface ListPage {
  /** Cells in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
  /** Position at which the next page begins; null after the last page. */
  readonly after: string | null;
}

/** A list that is open for reading. */
export interface OpenList {
  count(): Promise<number>;
  /**
   * Reads a page after a position in the list. Positions consist of values that never change or that the list
   * is sorted by, so that concurrent changes do not move other rows.
   */
  read(ctx: Context, after: string | null, size: number): Promise<ListPage>;
}

const requested = z.object({ listExportId: z.uuid(), rows: z.int().nonnegative() });

/**
 * One kind of export, defined by the package that owns the list. Start, job and file read all knowledge about
 * the kind from here.
 */
export interface ExportDefinition<Filter = unknown> {
  readonly kind: ExportKind;
  /** Names of the columns in CSV, and of the fields in JSON. */
  readonly columns: readonly string[];
  /** Schema of the filter, as it is stored until the job reads it. */
  readonly filter: z.ZodType<Filter>;
  /** Filters whose values may be personal data; the audit log masks their values. */
  readonly searched?: readonly (keyof Filter & string)[];
  /** Checks the filter and opens the list. */
  readonly open: (ctx: Context, filter: Filter) => Promise<OpenList>;
  /** Name of the job that writes the file. */
  readonly job: string;
  /** Starts the job. */
  readonly requested: EventType<z.infer<typeof requested>>;
}

/** Declares the event that starts the export job of a kind. */
export const exportRequested = (type: string): ExportDefinition['requested'] => event(type, requested);
