import { concurrencyLimit, type Limited } from '@loyalty/platform/base/concurrency-limit';
import { unavailable } from '@loyalty/platform/base/errors';
import { hash, verify } from '@node-rs/argon2';

/**
 * Argon2id as OWASP advises: 19 MiB, two passes, one thread. Each concurrent hash takes this memory and a
 * core.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * The purpose of a hash. New accounts have a separate queue with a smaller share, so that many registrations
 * do not prevent sign-ins.
 */
type HashPurpose = 'sign-in' | 'new-account';

const limits: Readonly<Record<HashPurpose, Limited>> = {
  'sign-in': concurrencyLimit({
    runningMax: 2,
    waitingMax: 200,
    busy: () => unavailable('SIGN_IN_BUSY', 'Too many people sign in right now. Try again.', 5),
  }),
  'new-account': concurrencyLimit({
    runningMax: 1,
    waitingMax: 100,
    busy: () => unavailable('REGISTRATION_BUSY', 'Too many people register right now. Try again.', 5),
  }),
};

/** Normalizes code points, because keyboards encode the same letters differently. */
const normal = (password: string): string => password.normalize('NFKC');

/**
 * Returns the password's hash, with its salt and cost.
 *
 * @throws AppError SIGN_IN_BUSY, REGISTRATION_BUSY (503, with Retry-After)
 */
export const hashPassword = (password: string, purpose: HashPurpose = 'sign-in'): Promise<string> =>
  limits[purpose](() => hash(normal(password), cost));

/**
 * A hash of random bytes. Unknown accounts are compared with it, so that they take the same time as known
 * ones.
 */
const DUMMY =
  '$argon2id$v=19$m=19456,t=2,p=1$/zSVodal/Sz3yFexyn+CiQ$nlp6u//NzMPf8hl+5AUNDG4BVESZez6TfEDkxkZSn2I';

/** Whether the password matches. False, after the same time, if there is no hash. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const compared = passwordHash ?? DUMMY;
  const matches = await limits['sign-in'](() => verify(compared, normal(password)));
  return matches && passwordHash !== null;
}
