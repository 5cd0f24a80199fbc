import { invalid } from '@loyalty/platform/base/errors';

const LENGTH_MIN = 10;
const LENGTH_MAX = 200;

/** Common passwords that are long enough, in lower case. */
const common = new Set([
  '0123456789',
  '0987654321',
  '1234567890',
  '12345678910',
  '123456789a',
  '1234512345',
  '1q2w3e4r5t',
  '1q2w3e4r5t6y',
  'abcdefghij',
  'administrator',
  'asdfghjkl1',
  'baseball123',
  'changeme123',
  'football123',
  'iloveyou12',
  'iloveyou123',
  'letmein1234',
  'liverpool1',
  'manchester',
  'password01',
  'password1!',
  'password12',
  'password123',
  'password123!',
  'password1234',
  'passwordpassword',
  'princess123',
  'qwerty1234',
  'qwerty12345',
  'qwerty123456',
  'qwertyuiop',
  'qwertyuiop123',
  'superman123',
  'sunshine123',
  'trustno1trustno1',
  'unbelievable',
  'welcome123',
  'welcome1234',
]);

/**
 * Refuses passwords that are easily guessed. Length protects, so no kinds of characters are required.
 *
 * @throws AppError PASSWORD_WEAK (400) naming the field, never repeating the password
 */
export function checkPassword(field: string, password: string, email: string | null): void {
  const length = [...password].length;
  const refuse = (rule: string) => invalid(field, rule, 'PASSWORD_WEAK');
  if (length < LENGTH_MIN || length > LENGTH_MAX)
    throw refuse(`must have ${LENGTH_MIN} to ${LENGTH_MAX} characters`);
  const lower = password.toLowerCase();
  if (common.has(lower) || new Set(lower).size < 3) throw refuse('is too common: choose another');
  if (lower.trim() === email) throw refuse('must not be the e-mail address');
}
