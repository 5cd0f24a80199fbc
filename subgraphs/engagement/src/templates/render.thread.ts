import { type CompiledSource, compileOrRefuse, type RefusedSource, type SourceJob } from './compile.ts';
import { type RenderJob, type RenderOutcome, renderSome } from './render.ts';

/** A job of the worker thread; null does nothing. */
export type RenderingJob =
  | { readonly kind: 'compile'; readonly source: SourceJob }
  | { readonly kind: 'render'; readonly messages: readonly RenderJob[] }
  | null;

export type RenderingResult = CompiledSource | RefusedSource | readonly RenderOutcome[] | null;

/** Does all work with untrusted Liquid. Runs in a worker thread: see render-work.ts. */
export default function work(job: RenderingJob): RenderingResult | Promise<RenderingResult> {
  if (!job) return null;
  return job.kind === 'compile' ? compileOrRefuse(job.source) : renderSome(job.messages);
}
