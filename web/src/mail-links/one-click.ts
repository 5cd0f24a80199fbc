import type { FastifyInstance } from 'fastify';

const BODY_BYTES_MAX = 4 * 1024;

/** The body of RFC 8058 in both forms that it allows; any other is read as null. */
export function acceptOneClick(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: BODY_BYTES_MAX } as const;
  const accept = (type: string, read: (text: string) => string | null) =>
    app.addContentTypeParser(type, options, async (_: unknown, text: string) => read(text));
  accept('application/x-www-form-urlencoded', (text) => new URLSearchParams(text).get('List-Unsubscribe'));
  accept('multipart/form-data', partOf);
  accept('*', () => null);
}

/** Is it what a mail program sends for its user? A program that only follows links does not send it. */
export const isOneClick = (body: unknown): boolean => body === 'One-Click';

const partOf = (text: string): string | null =>
  /content-disposition:[^\n]*name="?List-Unsubscribe"?\r?\n(?:[^\n]+\n)*?\r?\n([^\r\n]*)/i.exec(text)?.[1] ??
  null;
