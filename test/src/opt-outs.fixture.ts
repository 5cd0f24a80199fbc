import { ensureMembers } from '@loyalty/loyalty-subgraph/imports/imported-members.service';
import { appendImport, createImport, startImport } from '@loyalty/loyalty-subgraph/imports/imports.service';
import { importMembersJob } from '@loyalty/loyalty-subgraph/imports/member-import.jobs';
import { upsertMembers } from '@loyalty/loyalty-subgraph/member-details/member-batch.service';
import { createMember } from '@loyalty/loyalty-subgraph/member-details/member-details.service';
import type { Context } from '@loyalty/platform/context';

async function importFile(ctx: Context, format: 'CSV' | 'NDJSON', text: string): Promise<void> {
  const { id } = await createImport(ctx, 'MEMBERS', { format });
  await appendImport(ctx, id, 0, Buffer.from(text).toString('base64'));
  await startImport(ctx, id, 1);
  await importMembersJob.run(ctx, { importId: id });
}

/** Every way in which a person becomes a member. */
export const enrolments = {
  POST: (ctx: Context, email: string) => createMember(ctx, { email }),
  // All enrolment forms, of a till, a portal or an ambassador, make members in this way.
  FORM: (ctx: Context, email: string) => createMember(ctx, { email, enrollmentSource: 'WEB' }),
  BATCH: (ctx: Context, email: string) => upsertMembers(ctx, [{ email }]),
  CSV: (ctx: Context, email: string) => importFile(ctx, 'CSV', `email,name\n${email},Ada\n`),
  JSON: (ctx: Context, email: string) => importFile(ctx, 'NDJSON', `${JSON.stringify({ email })}\n`),
  MODEL: (ctx: Context, email: string) =>
    ensureMembers(ctx, [{ externalId: email, email, createdAt: new Date('2026-01-01'), status: 'ACTIVE' }]),
} as const;

export type Enrolment = keyof typeof enrolments;
export const ways = Object.keys(enrolments) as Enrolment[];
