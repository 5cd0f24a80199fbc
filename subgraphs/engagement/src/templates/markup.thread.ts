import { type CompiledSource, compileOrRefuse, type RefusedSource, type SourceJob } from './compile.ts';

/**
 * Compiles, or with null only reads what it compiles with, which takes its time on a busy machine. Runs in a
 * thread of its own: see compile-source.ts.
 */
export default async function compile(job: SourceJob | null): Promise<CompiledSource | RefusedSource | null> {
  await Promise.all([import('juice'), import('mjml')]);
  return job && compileOrRefuse(job);
}
