import { unavailable } from '@loyalty/platform/errors';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id as OWASP advises: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Hashes at once in one process: each holds 19 MiB and a core. */
const RUNNING_MAX = 2;
/** Who would wait longer than some seconds is turned away instead. */
const WAITING_MAX = 200;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= WAITING_MAX)
    throw unavailable('SIGN_IN_BUSY', 'Too many people sign in right now. Try again.', 5);
  if (running >= RUNNING_MAX) await new Promise<void>((resolve) => void waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    // The place is handed on rather than given up, so that nobody slips in between.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Different keyboards write the same letters in different code points. */
const normal = (password: string): string => password.normalize('NFKC');

/** The password's hash, with its salt and cost. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(normal(password), cost));

/** Of random bytes that nobody kept: unknown accounts are compared with it and take as long as known ones. */
const DUMMY =
  '$argon2id$v=19$m=19456,t=2,p=1$/zSVodal/Sz3yFexyn+CiQ$nlp6u//NzMPf8hl+5AUNDG4BVESZez6TfEDkxkZSn2I';

/** Is it the password? False, after the same time, where there is no hash. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const compared = passwordHash ?? DUMMY;
  const matches = await inTurn(() => verify(compared, normal(password)));
  return matches && passwordHash !== null;
}
