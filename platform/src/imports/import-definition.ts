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
 * One kind of import, defined by the package that owns its rows. Upload, preview and job read what they must
 * know of the kind here; nothing below `platform/src/imports` names a kind.
 */
export interface ImportDefinition<Row = unknown> {
  /** As the enum `ImportKind` of the graph has it. */
  readonly kind: string;
  /** `orders` for the scopes `orders:read` and `orders:write`. */
  readonly scope: string;
  /** Fields that columns may fill. */
  readonly fields: FieldSet<LabelledField>;
  /** How a row is read and checked now; what is wrong is noted in its cells. */
  readonly reader: (ctx: Context) => (cells: Cells) => Row;
  /** Rows that one transaction writes. */
  readonly batchRows: number;
  /** Name of the job that writes the rows. */
  readonly job: string;
  /** Published when the whole file has arrived; starts the job. */
  readonly requested: EventType<z.infer<typeof requested>>;
  /** Published when the job has written the last row, again after each retry: single rows publish nothing. */
  readonly finished: EventType<z.infer<typeof finished>>;
}

/** The event that starts the job of a kind. */
export const importRequested = (type: string): ImportDefinition['requested'] => event(type, requested);

/** The event that an import of a kind has ended. */
export const importFinished = (
  type: string,
  uses: EventUses<z.infer<typeof finished>>,
): ImportDefinition['finished'] => event(type, finished, uses);
