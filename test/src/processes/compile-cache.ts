import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Settings of processes that tests start: they share their compiled code, so each starts in half the time. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'loyalty-test-compile-cache') };
