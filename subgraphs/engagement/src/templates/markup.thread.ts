import { type CompiledSource, compileOrRefuse, type RefusedSource, type SourceJob } from './compile.ts';

/**
 * Compiles a source. With null, only loads the modules, which may take some time. Runs in a worker thread:
 * see compile-source.ts.
 */
export default async function compile(job: SourceJob | null): Promise<CompiledSource | RefusedSource | null> {
  await Promise.all([import('juice'), import('mjml')]);
  return job && compileOrRefuse(job);
}
