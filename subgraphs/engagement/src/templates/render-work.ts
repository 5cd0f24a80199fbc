import { type BoundedWork, createBoundedWork } from '@loyalty/platform/work/bounded-work';
import type { RenderingJob, RenderingResult } from './render.thread.ts';

/** Time limit of a turn. A turn ends by itself after 100 ms, unless a template is endless. */
const RENDER_MS_MAX = 2_000;
const RENDER_MEMORY_MB = 384;

/** The worker thread that parses and renders templates. */
export const renderWork: BoundedWork<RenderingJob, RenderingResult> = createBoundedWork(
  new URL('./render.thread.ts', import.meta.url),
  { memoryMb: RENDER_MEMORY_MB, msMax: RENDER_MS_MAX, ready: null },
);
