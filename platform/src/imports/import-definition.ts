import { z } from 'zod';
import type { Context } from '../context.ts';
import { type EventType, type EventUses, event } from '../work/events.ts';
import type { Cells } from './import-cells.ts';
import type { FieldSet, LabelledField } from './import-fields.ts';

const requested = z.object({ importId: z.uuid(), bytes: z.int().nonnegative() });
const finished = z.object({
  importId: z.uuid(),
  inserted: z.int(),
  updated: z.int(),
  skipped: z.int(),
  failed: z.int(),
});

/**
 * One kind of import, defined by the package that owns its rows. Upload, preview and job read all knowledge
 * about the kind from here; no code in `platform/src/imports` names a kind.
 */
export interface ImportDefinition<Row = unknown> {
  /** The value in the enum `ImportKind` of the graph. */
  readonly kind: string;
  /** Prefix of the scopes: `orders` for `orders:read` and `orders:write`. */
  readonly scope: string;
  /** Fields that columns may fill. */
  readonly fields: FieldSet<LabelledField>;
  /** Returns a function that reads and checks a row; it records issues in the row's cells. */
  readonly reader: (ctx: Context) => (cells: Cells) => Row;
  /** Rows per transaction. */
  readonly batchRows: number;
  /** Name of the job that writes the rows. */
  readonly job: string;
  /** Published when the whole file has arrived. Starts the job. */
  readonly requested: EventType<z.infer<typeof requested>>;
  /**
   * Published when the job has written the last row, and again after each retry. Single rows publish no
   * events.
   */
  readonly finished: EventType<z.infer<typeof finished>>;
}

/** Declares the event that starts the import job of a kind. */
export const importRequested = (type: string): ImportDefinition['requested'] => event(type, requested);

/** Declares the event for the end of an import of a kind. */
export const importFinished = (
  type: string,
  uses: EventUses<z.infer<typeof finished>>,
): ImportDefinition['finished'] => event(type, finished, uses);
