import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { askPeer } from '@loyalty/test/harness/peers';
import { engagement } from '../subgraph.ts';
import type { TrackedEventInput } from './tracked-events.input.ts';

const ask = askOf(engagement);

const TRACK = `mutation ($events: [TrackedEventInput!]!) {
  trackEvents(events: $events) { accepted duplicates rejected { index error } }
}`;

let made = 0;

/** Test data of tracking. */
export const given = {
  /** Enrols a member. */
  member: async (ctx: Context): Promise<string> => {
    made += 1;
    const query = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
    const variables = { input: { email: `visitor-${made}@example.com` } };
    const answer = await askPeer(ctx, 'loyalty', query, variables);
    return (answer['createMember'] as { id: string }).id;
  },
  restricted: (ctx: Context, memberId: string): Promise<unknown> =>
    ctx.sql.query('UPDATE loyalty.members SET is_restricted = true WHERE workspace_id = $1 AND id = $2', [
      ctx.scope.workspaceId,
      memberId,
    ]),
};

/** Sends these events and returns the response. */
export const track = async (
  ctx: Context,
  ...events: (Omit<Partial<TrackedEventInput>, 'occurredAt'> & { occurredAt?: Date | string })[]
) => {
  const { data, message, code } = await ask(ctx, TRACK, {
    events: events.map((event) => ({ event: 'view', ...event })),
  });
  return data?.trackEvents ?? { message, code };
};

interface Stored {
  readonly id: string;
  readonly event: string;
  readonly memberId: string | null;
  readonly anonymousId: string | null;
}

/** Stored events of the caller's workspace and mode. */
export const storedEvents = ({ sql, scope }: Context): Promise<Stored[]> =>
  sql.query(
    `SELECT id, event, member_id, anonymous_id
       FROM engagement.tracking_events WHERE workspace_id = $1 AND mode = $2::platform."Mode"
      ORDER BY received_at, event, id`,
    [scope.workspaceId, scope.mode],
  );
