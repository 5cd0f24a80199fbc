import type pg from 'pg';

/** Sends a statement whose rows come back as arrays. */
export type RunStatement = (statement: pg.QueryArrayConfig) => Promise<pg.QueryArrayResult<unknown[]>>;

interface Waiting {
  readonly statement: pg.QueryArrayConfig;
  readonly answer: PromiseWithResolvers<pg.QueryArrayResult<unknown[]>>;
}

/** Of one piece: those behind a slow statement wait for it, so others go over connections of their own. */
const PIECE_MAX = 4;

/**
 * Runs statements so that those which are asked for in one tick travel together: a piece of them on one
 * connection costs the processors half as much as each on its own. Each is answered, or fails, by itself.
 *
 * @param options.alone - runs one statement
 * @param options.take - takes a connection for several
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

/** After what the promises of this tick lead to. */
const atEndOfTick = (act: () => void): void => void Promise.resolve().then(() => process.nextTick(act));

/** What the driver has of a connection's socket; its types leave it out. */
interface Corkable {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/** What is sent until the end of this tick goes in one piece. */
export function inOnePiece(client: pg.PoolClient): void {
  const { stream } = (client as unknown as Corkable).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
