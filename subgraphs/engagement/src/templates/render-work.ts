import { type BoundedWork, createBoundedWork } from '@loyalty/platform/work/bounded-work';
import type { RenderingJob, RenderingResult } from './render.thread.ts';

/** Of a turn, which ends by itself after a tenth of a second unless one template never ends. */
const RENDER_MS_MAX = 2_000;
const RENDER_MEMORY_MB = 384;

/** The thread of this process that reads and fills in templates. */
export const renderWork: BoundedWork<RenderingJob, RenderingResult> = createBoundedWork(
  new URL('./render.thread.ts', import.meta.url),
  { memoryMb: RENDER_MEMORY_MB, msMax: RENDER_MS_MAX, ready: null },
);
