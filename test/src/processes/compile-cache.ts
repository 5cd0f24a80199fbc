import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Settings of Jest's processes and of those that tests start: they share compiled code, a third of a start. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'loyalty-test-compile-cache') };
