import { type CompiledMarkup, compileMarkup, type MarkupJob } from './markup.steps.ts';

/**
 * Compiles, or with null only reads what it compiles with, which takes its time on a busy machine. Runs in a
 * thread of its own: see markup-compiler.ts.
 */
export default async function compile(job: MarkupJob | null): Promise<CompiledMarkup | null> {
  await Promise.all([import('juice'), import('mjml')]);
  if (!job) return null;
  try {
    return await compileMarkup(job);
  } catch (error) {
    const message = error instanceof RangeError ? 'it is nested too deeply' : 'it cannot be compiled';
    return { problems: [{ message, line: 1 }] };
  }
}
