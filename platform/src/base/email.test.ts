import { expect, test } from '@jest/globals';
import { checkEmail } from './email.ts';

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['  Ada.Lovelace@Example.COM\n', 'ada.lovelace@example.com'],
  ["o'brien+shop@mail.example.co.uk", "o'brien+shop@mail.example.co.uk"],
  [`${'A'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
])('%j is one address however it is spelled: %s', (text, address) => {
  expect(checkEmail('email', text)).toBe(address);
});

test.each([
  '',
  ' ',
  'ada',
  '@example.com',
  'ada@',
  'ada@example',
  'a b@example.com',
  'ada@exa mple.com',
  'ada@example.com,eve@example.com',
  'ada@example.com\nbcc: eve@example.com',
  `${'a'.repeat(250)}@example.com`,
  `${'a'.repeat(65)}@example.com`,
  `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}`,
])('the address %j is refused without being repeated', (text) => {
  const message = 'input.email must be an e-mail address such as ada@example.com.';
  const refusal = {
    category: 'BAD_USER_INPUT',
    message,
    details: { field: 'input.email', rule: 'EMAIL_ADDRESS' },
  };
  expect(() => checkEmail('input.email', text)).toThrow(expect.objectContaining(refusal) as never);
});
