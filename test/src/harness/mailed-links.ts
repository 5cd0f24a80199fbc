import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stack } from './stack.ts';

/**
 * Reads the token of a link to a page from an e-mail that the product sent.
 *
 * @throws Error if the e-mail has not been sent yet
 */
export async function linkToken({ services }: Stack, email: string, page: string): Promise<string> {
  const directory = join(services.config.dataDir, 'mail');
  for (const name of await readdir(directory)) {
    const raw = await readFile(join(directory, name), 'utf8');
    const mail = raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    const found = mail.includes(email) && new RegExp(`${page}#token=([\\w-]+)`).exec(mail)?.[1];
    if (found) return found;
  }
  throw new Error(`No message to ${email} yet.`);
}
