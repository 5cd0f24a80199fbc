import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const KEPT_SECONDS = 365 * 24 * 3_600;
const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;

/** A file that pages load. */
export interface Asset {
  readonly path: string;
  /** With a version, which changes with the content. */
  readonly address: string;
  readonly type: string;
  readonly content: Buffer;
}

/** @param file - beside the pages; its name is the last part of its address */
export function readAsset(file: URL): Asset {
  const name = file.pathname.split('/').at(-1)!;
  const content = readFileSync(file);
  const version = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  const path = `/pages/${name}`;
  const type = types[name.endsWith('.js') ? 'js' : 'css'];
  return { path, address: `${path}?v=${version}`, type, content };
}

export const pageScript = readAsset(new URL('page.js', import.meta.url));
export const pageStyle = readAsset(new URL('page.css', import.meta.url));

/** Serves files that never change under their address. */
export function addAssets(app: FastifyInstance, all: readonly Asset[]): void {
  for (const { path, type, content } of all) {
    app.get(path, async (_, reply) =>
      reply.header('cache-control', `public, max-age=${KEPT_SECONDS}, immutable`).type(type).send(content),
    );
  }
}
