import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anonymous } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import type { TestServices } from '@loyalty/test/harness/services';
import { ask } from '../loyalty.fixture.ts';
import { sendEnrollmentLinkJob } from './enrollment.jobs.ts';

const ENROL =
  'mutation ($token: String!, $input: EnrolInput!) { enrol(token: $token, input: $input) { accepted } }';

/** Returns the context of a caller without a credential, with a network address. */
export const nobody = (services: TestServices, address: string | null = null): Context =>
  createContext(services, { caller: anonymous, requestId: 'test', address });

/** Joins by a form like the public does. */
export const joinBy = (ctx: Context, token: string, input: object) => ask(ctx, ENROL, { token, input });

/** Runs all jobs that the workspace's enrollments requested, like the worker. */
export async function sendLinks(ctx: Context): Promise<void> {
  for (const payload of await publishedEvents(ctx, 'loyalty.enrollment_requested'))
    await sendEnrollmentLinkJob.run(ctx, payload);
}

/** Returns the decoded messages to an address, the latest last. */
export async function mailsTo(services: TestServices, address: string): Promise<string[]> {
  const directory = join(services.config.dataDir, 'mail');
  const names = await readdir(directory).catch(() => []);
  const mails = await Promise.all(
    names.sort().map(async (name) => decode(await readFile(join(directory, name), 'utf8'))),
  );
  return mails.filter((mail) => mail.toLowerCase().includes(`to: ${address}`));
}

/** Returns the token of the link in a message. */
export const tokenIn = (mail: string | undefined): string => /#token=([\w-]+)/.exec(mail ?? '')?.[1] ?? '';

const decode = (mail: string): string =>
  mail
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
