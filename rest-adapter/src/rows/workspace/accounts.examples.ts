import { type Example, userId, workspaceId } from '../example.ts';

const session = {
  token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTk3In0.c2lnbmF0dXJl',
  expires_at: '2026-11-21T10:30:00.000Z',
};

const profile = {
  id: userId,
  email: 'grace@example.com',
  name: 'Grace Hopper',
  avatar_url: null,
  created_at: '2026-02-01T08:00:00.000Z',
  teams: [{ id: workspaceId, name: 'Harbour Coffee', role: 'owner' }],
};

export const accountsExamples: Readonly<Record<string, Example>> = {
  Register: {
    body: { email: 'grace@example.com', password: 'correct horse battery staple', name: 'Grace Hopper' },
    reply: {
      id: userId,
      email: 'grace@example.com',
      name: 'Grace Hopper',
      created_at: '2026-02-01T08:00:00.000Z',
    },
  },
  Login: {
    body: { email: 'grace@example.com', password: 'correct horse battery staple' },
    reply: session,
  },
  Profile: { about: 'The signed-in user and the workspaces that they belong to.', reply: profile },
  UpdateProfile: {
    body: { name: 'Grace Hopper', avatar_url: 'https://example.com/grace.png' },
    reply: { ...profile, avatar_url: 'https://example.com/grace.png' },
  },
  ChangePassword: {
    body: { current_password: 'correct horse battery staple', new_password: 'a newer horse with a battery' },
    reply: session,
  },
  ForgotPassword: { body: { email: 'grace@example.com' }, reply: { ok: true } },
  ResetPassword: {
    body: { token: 'Zx81b2u7Qk0rV3mN5tYc', new_password: 'a newer horse with a battery' },
    reply: { ok: true },
  },
};
