import { AppError } from '@loyalty/platform/base/errors';
import {
  type BoundedWork,
  createBoundedWork,
  ThreadEnded,
  type WorkOwner,
} from '@loyalty/platform/work/bounded-work';
import { templateInvalid } from './check-liquid.ts';
import type { CompiledSource, RefusedSource, SourceJob } from './compile.ts';
import { isAsWritten } from './markup.ts';
import { renderWork } from './render-work.ts';

export type TemplateFormat = SourceJob['format'];

/**
 * Time limit of MJML and of markup with styles: a page of styles can take minutes. It is below the timeout of
 * a request, so that the author gets an error message.
 */
const MARKUP_MS_MAX = 3_500;
const MARKUP_MEMORY_MB = 512;

type Compiled = CompiledSource | RefusedSource | null;

/** The worker thread that compiles MJML and inlines styles. */
export const createMarkupWork = ({ msMax = MARKUP_MS_MAX } = {}): BoundedWork<SourceJob | null, Compiled> =>
  createBoundedWork(new URL('./markup.thread.ts', import.meta.url), {
    memoryMb: MARKUP_MEMORY_MB,
    msMax,
    ready: null,
  });

const markupWork = createMarkupWork();

/**
 * Checks and compiles the source of a template in a worker thread, because a hostile source may never finish.
 *
 * @throws AppError TEMPLATE_INVALID (400) naming the field, with the line
 */
export async function compileSource(
  owner: WorkOwner,
  source: SourceJob,
  work = markupWork,
): Promise<CompiledSource> {
  const isPlain = isAsWritten({ format: source.format, markup: source.source });
  const compiling = isPlain ? renderWork.run(owner, { kind: 'compile', source }) : work.run(owner, source);
  const compiled = (await compiling.catch((error: unknown) => {
    if (!(error instanceof ThreadEnded)) throw error;
    throw templateInvalid(source.fields.source, 'takes too long to compile: use fewer elements and styles');
  })) as CompiledSource | RefusedSource;
  if (!('refused' in compiled)) return compiled;
  const { category, code, message, details } = compiled.refused;
  throw new AppError(category, code, message, details);
}
