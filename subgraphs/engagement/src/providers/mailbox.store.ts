import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** A mail that was stored instead of being sent. */
export interface MailboxMessage {
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly createdAt: Date;
}

interface Row {
  readonly id: string;
  readonly sealed: Buffer;
  readonly createdAt: Date;
}

const COLUMNS = 'id, sealed, created_at';
const SEAL = 'mailboxMessage.content';

export async function insertMailboxMessage(
  ctx: Context,
  { id, ...content }: Omit<MailboxMessage, 'createdAt'>,
): Promise<void> {
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  await ctx.sql.query(
    `INSERT INTO engagement.mailbox_messages (workspace_id, mode, id, sealed, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5) ON CONFLICT (workspace_id, mode, id) DO NOTHING`,
    [...scopeOf(ctx), id, keys.seal(JSON.stringify(content), SEAL), ctx.clock.now()],
  );
}

export async function mailboxPage(ctx: Context, request: PageRequest): Promise<Page<MailboxMessage>> {
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<Row>(
    `SELECT ${COLUMNS} FROM engagement.mailbox_messages
      WHERE ${inScope()} AND ($3::uuid IS NULL OR id ${beyond} $3)
      ORDER BY id ${order} LIMIT $4 OFFSET $5`,
    [...scopeOf(ctx), request.cursorId, request.size + 1, request.offset],
  );
  return page(request, await open(ctx, rows), async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM engagement.mailbox_messages WHERE ${inScope()}`,
      scopeOf(ctx),
    );
    return counted?.total ?? 0;
  });
}

export async function mailboxMessageById(ctx: Context, id: string): Promise<MailboxMessage | null> {
  const rows = await ctx.sql.query<Row>(
    `SELECT ${COLUMNS} FROM engagement.mailbox_messages WHERE ${inScope()} AND id = $3`,
    [...scopeOf(ctx), id],
  );
  return (await open(ctx, rows))[0] ?? null;
}

async function open(ctx: Context, rows: readonly Row[]): Promise<MailboxMessage[]> {
  if (rows.length === 0) return [];
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  return rows.map(({ id, sealed, createdAt }) => {
    const content = JSON.parse(keys.open(sealed, SEAL)) as Omit<MailboxMessage, 'id' | 'createdAt'>;
    return { ...content, id, createdAt };
  });
}
