import { concurrencyLimit, type Limited } from '@loyalty/platform/base/concurrency-limit';
import { unavailable } from '@loyalty/platform/base/errors';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id as OWASP advises: 19 MiB, two passes, one thread. Each hash at once holds that and a core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * What a hash is made for. New accounts have a queue of their own with a smaller share, so that many
 * registrations do not keep anybody from signing in.
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

/** Different keyboards write the same letters in different code points. */
const normal = (password: string): string => password.normalize('NFKC');

/**
 * The password's hash, with its salt and cost.
 *
 * @throws AppError SIGN_IN_BUSY, REGISTRATION_BUSY (503, with Retry-After)
 */
export const hashPassword = (password: string, purpose: HashPurpose = 'sign-in'): Promise<string> =>
  limits[purpose](() => hash(normal(password), cost));

/** A hash of random bytes. Unknown accounts are compared with it, so that they take as long as known ones. */
const DUMMY =
  '$argon2id$v=19$m=19456,t=2,p=1$/zSVodal/Sz3yFexyn+CiQ$nlp6u//NzMPf8hl+5AUNDG4BVESZez6TfEDkxkZSn2I';

/** Is it the password? False, after the same time, where there is no hash. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const compared = passwordHash ?? DUMMY;
  const matches = await limits['sign-in'](() => verify(compared, normal(password)));
  return matches && passwordHash !== null;
}
