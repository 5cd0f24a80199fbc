import type pg from 'pg';

/** Sends a statement whose rows are returned as arrays. */
export type RunStatement = (statement: pg.QueryArrayConfig) => Promise<pg.QueryArrayResult<unknown[]>>;

interface Waiting {
  readonly statement: pg.QueryArrayConfig;
  readonly answer: PromiseWithResolvers<pg.QueryArrayResult<unknown[]>>;
}

/** Statements per piece. Statements behind a slow one wait for it, so further ones use other connections. */
const PIECE_MAX = 4;

/**
 * Combines statements that are requested in one tick. Sending a piece of several statements over one
 * connection takes half of the processor time. Each statement has its own answer or failure.
 *
 * @param options.alone - runs a single statement
 * @param options.take - takes a connection for several statements
 */
export function pipelined(options: {
  alone: RunStatement;
  take: () => Promise<pg.PoolClient>;
}): RunStatement {
  let waiting: Waiting[] = [];
  const send = (): void => {
    const all = waiting;
    waiting = [];
    const pieces = Math.ceil(all.length / PIECE_MAX);
    for (let piece = 0; piece < pieces; piece += 1)
      sendPiece(
        options,
        all.filter((_, index) => index % pieces === piece),
      );
  };
  return (statement) => {
    const answer = Promise.withResolvers<pg.QueryArrayResult<unknown[]>>();
    if (waiting.push({ statement, answer }) === 1) atEndOfTick(send);
    return answer.promise;
  };
}

function sendPiece({ alone, take }: Parameters<typeof pipelined>[0], piece: readonly Waiting[]): void {
  const [first] = piece;
  if (piece.length === 1) alone(first!.statement).then(first!.answer.resolve, first!.answer.reject);
  else
    take().then(
      (client) => void sendTo(client, piece),
      (error: unknown) => {
        for (const { answer } of piece) answer.reject(error);
      },
    );
}

async function sendTo(client: pg.PoolClient, piece: readonly Waiting[]): Promise<void> {
  inOnePiece(client);
  const answers = piece.map(({ statement, answer }) =>
    client.query(statement).then(answer.resolve, answer.reject),
  );
  await Promise.all(answers);
  client.release();
}

/** Runs after all promises of this tick. */
const atEndOfTick = (act: () => void): void => void Promise.resolve().then(() => process.nextTick(act));

/** The socket of a connection, which the driver's types omit. */
interface Corkable {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/** Sends all statements of this tick in one piece. */
export function inOnePiece(client: pg.PoolClient): void {
  const { stream } = (client as unknown as Corkable).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
