import { randomUUID } from 'node:crypto';
import type { Context } from '@loyalty/platform/context';
import { contextOf } from '@loyalty/test/harness/services';
import { enrolMembers } from '../members.fixture.ts';
import type { MessageCategory, MessageSource } from '../messages/message.ts';
import { givenTemplate } from '../messages/messages.fixture.ts';
import { queueMessages } from '../messages/queue-messages.service.ts';
import type { NotificationContent } from '../templates/render.ts';

/** Queues messages of a new template. Default recipients: new members. */
export async function givenMessages(
  ctx: Context,
  {
    category = 'TRANSACTIONAL',
    count = 1,
    memberIds,
    html = '<p>Hello {{ member.first_name }} {{ data.order_number }}</p>',
    source = givenSource(),
    notification,
    inline,
  }: {
    readonly category?: MessageCategory;
    readonly count?: number;
    readonly memberIds?: readonly string[];
    readonly html?: string;
    readonly source?: MessageSource;
    /** Makes the messages web push. */
    readonly notification?: NotificationContent;
    /** Content of messages without a template. */
    readonly inline?: { readonly subject: string; readonly html: string };
  } = {},
): Promise<readonly string[]> {
  const ids = memberIds ?? (await givenRecipients(ctx, count));
  const templateId = notification || inline ? undefined : await givenTemplate(ctx, { category, html });
  const data = { order_number: '1001' };
  await queueMessages(contextOf(ctx.services, ctx.caller), {
    ...{ category, templateId, inline, notification, source, data },
    channel: notification ? 'WEB_PUSH' : 'EMAIL',
    recipients: ids.map((memberId) => ({ memberId, key: keyOf(source, memberId) })),
  });
  return ids;
}

/** A message source with the id of a campaign that does not exist. */
export const givenSource = (given: Partial<MessageSource> = {}): MessageSource => ({
  kind: 'CAMPAIGN',
  id: randomUUID(),
  nodeId: '',
  ...given,
});

const keyOf = ({ id, nodeId }: MessageSource, memberId: string): string =>
  `campaign:${id}${nodeId}:${memberId}`;

let made = 0;

export const givenRecipients = (ctx: Context, count: number): Promise<string[]> => {
  const emails = Array.from({ length: count }, () => {
    made += 1;
    return `member-${made}@example.com`;
  });
  return enrolMembers(contextOf(ctx.services, ctx.caller), emails);
};

/** The fields of a message that tests check. */
export interface ShownMessage {
  readonly id: string;
  readonly memberId: string;
  readonly status: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly dueAt: Date | null;
  readonly rounds: number;
  readonly sentAt: Date | null;
  /** Outcomes, oldest first. */
  readonly attempts: readonly string[];
  readonly errors: readonly (string | null)[];
}

/** Messages in the order in which they were queued. */
export const messagesOf = (ctx: Context): Promise<ShownMessage[]> =>
  ctx.sql.query(
    `SELECT m.id, m.member_id, m.status, m.reason, m.detail, m.due_at, m.rounds, m.sent_at,
            coalesce(array_agg(a.outcome::text ORDER BY a.number) FILTER (WHERE a.number > 0), '{}') AS attempts,
            coalesce(array_agg(a.error ORDER BY a.number) FILTER (WHERE a.number > 0), '{}') AS errors
       FROM engagement.messages AS m
       LEFT JOIN engagement.message_attempts AS a
         ON a.workspace_id = m.workspace_id AND a.mode = m.mode AND a.message_id = m.id
      WHERE m.workspace_id = $1 AND m.mode = $2::platform."Mode"
      GROUP BY m.workspace_id, m.mode, m.id ORDER BY m.id`,
    [ctx.scope.workspaceId, ctx.scope.mode],
  );

/** Inserts an attempt of a worker that ended before the outcome was known. */
export async function givenLostAttempt(
  ctx: Context,
  messageId: string,
  provider: { readonly id: string | null; readonly kind: string },
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `WITH lost AS (
       UPDATE engagement.messages SET attempts = attempts + 1, claim = claim + 1
        WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND id = $3 RETURNING attempts)
     INSERT INTO engagement.message_attempts
            (workspace_id, mode, message_id, number, provider_id, provider_kind, started_at)
     SELECT $1, $2::platform."Mode", $3, attempts, $4, $5, $6 FROM lost`,
    [workspaceId, mode, messageId, provider.id, provider.kind, ctx.clock.now()],
  );
}
