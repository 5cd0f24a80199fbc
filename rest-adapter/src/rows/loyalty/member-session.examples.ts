import type { Example } from '../example.ts';

const session = {
  token: 'eyJhbGciOiJFZERTQSJ9.eyJhdWQiOiJtZW1iZXIifQ.…',
  expires_at: '2026-04-01T09:30:00.000Z',
};

export const memberSessionExamples: Readonly<Record<string, Example>> = {
  StartMemberSignIn: {
    body: { email: 'ada@example.com', form: '4fZpQ0xK2mTnV7sLc9RbYd' },
    reply: { id: 'AZejwkvgfDGaVS9tHwyOEQGXo8JL4HwxmlUvbR8MjhE', expires_at: '2026-03-02T09:40:00.000Z' },
  },
  CompleteMemberSignIn: {
    about:
      'Signs the member in for 30 days by the code of the mail. A page of our origin gets the session as ' +
      'an HttpOnly cookie, too. After 5 wrong codes only a new mail helps.',
    body: { id: 'AZejwkvgfDGaVS9tHwyOEQGXo8JL4HwxmlUvbR8MjhE', code: '402718' },
    reply: session,
  },
  CompleteMemberSignInByToken: {
    about: 'Signs the member in for 30 days by the link of the mail, which works once; see the code.',
    body: { token: 'AZejwkvgfDGaVS9tHwyOEXkq3h1Zr0yW8mVbT5uJdF2sLc9RbYd4fZpQ0xK2mTnV' },
    reply: session,
  },
  SignOutMember: { reply: { signed_out: true } },
};
