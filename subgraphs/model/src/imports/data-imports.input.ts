import { createHash } from 'node:crypto';
import { AppError, invalid } from '@loyalty/platform/base/errors';
import { notEmpty } from '@loyalty/platform/base/input-rules';
import { checkMapping, type FieldSet } from '@loyalty/platform/imports/import-fields';
import type { DataImportKind } from './import-fields.ts';

type DataImportFormat = 'CSV' | 'JSON';

/** A file as a client sends it. */
export interface DataImportInput {
  readonly kind: DataImportKind;
  readonly format: DataImportFormat;
  readonly content: string;
  /** Field by the name of a column in the file; absent if the client sends none. */
  readonly mapping?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A file with a checked size and mapping. */
export interface CheckedImport {
  readonly fields: FieldSet;
  readonly kind: DataImportKind;
  readonly format: DataImportFormat;
  readonly bytes: Buffer;
  readonly mapping: Readonly<Record<string, string>>;
  /**
   * SHA-256 of the whole input. The same input has the same digest, in whatever order its mapping is written.
   */
  readonly digest: Buffer;
}

export const CONTENT_BYTES_MAX = 5 * 1024 * 1024;

/**
 * @param fields - of the kind of file
 * @throws AppError UPLOAD_TOO_LARGE (413), VALIDATION_FAILED (400) naming the field
 */
export function checkImport(input: DataImportInput, fields: FieldSet): CheckedImport {
  const { kind, format, content } = input;
  const mapping = input.mapping ?? {};
  const bytes = Buffer.from(content, 'utf8');
  if (bytes.length > CONTENT_BYTES_MAX) throw tooLarge('must have at most 5 MiB: split the file up');
  if (content.trim() === '') throw invalid('input.content', notEmpty);
  const sorted = Object.entries(mapping).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const digest = createHash('sha256')
    .update(JSON.stringify([kind, format, sorted]))
    .update('\0')
    .update(bytes)
    .digest();
  return { kind, fields, format, bytes, mapping: checkMapping(fields, mapping), digest };
}

/** Returns UPLOAD_TOO_LARGE (413). */
export const tooLarge = (rule: string): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', 'UPLOAD_TOO_LARGE', `input.content ${rule}.`, {
    field: 'input.content',
  });
