// Writes Scalar's API reference, a single script, as the file that `references/rest-reference.ts` serves,
// plain and in brotli. It is a part of the build: a production install has this file and none of its
// packages.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const folder = new URL('../../generated/', import.meta.url);
const { resolve } = createRequire(import.meta.url);
const packaged = join(dirname(resolve('@scalar/fastify-api-reference')), '..');

/** The script as this package serves it: the package `@scalar/api-reference` itself has 250 dependencies. */
async function readScript(): Promise<string> {
  const app = fastify();
  await app.register(scalar, { routePrefix: '/scalar', configuration: { url: '/none' } });
  const { statusCode, body } = await app.inject('/scalar/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error('The package has no script at its address.');
  return body;
}

const license = readFileSync(join(packaged, 'LICENSE'), 'utf8');
const script = Buffer.from(`/*!\n${license}*/\n${await readScript()}`);
const hash = createHash('sha256').update(script).digest('base64url').slice(0, 12);
const packed = brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(new URL(`scalar.${hash}.js`, folder), script);
writeFileSync(new URL(`scalar.${hash}.js.br`, folder), packed);
