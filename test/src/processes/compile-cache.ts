import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Settings of all processes of tests: they share compiled code, which is a third of their start. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'loyalty-test-compile-cache') };
