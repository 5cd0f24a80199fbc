import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { SessionError, signIn } from '../../graph/session/session.ts';
import { useText } from '../../messages/text.ts';

/** E-mail and password, on the page of signing in and over a screen whose session has ended. */
export function SignInForm({ email: known = '' }: { readonly email?: string }) {
  const t = useText();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await signIn(email, password);
    } catch (failure) {
      setError(sentenceOf(failure, t));
    }
    setBusy(false);
  }
  return (
    <form onSubmit={(event) => void send(event)}>
      <Stack>
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
        />
        <PasswordInput
          label={t('signIn.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
        />
        {error && (
          <Text c="red" role="alert" size="sm">
            {error}
          </Text>
        )}
        <Button type="submit" loading={isBusy}>
          {t('signIn.submit')}
        </Button>
      </Stack>
    </form>
  );
}

function sentenceOf(failure: unknown, t: ReturnType<typeof useText>): string {
  if (!(failure instanceof SessionError)) return t('error.network');
  const { code, message, retryAfterSeconds } = failure;
  if (code === 'CREDENTIAL_INVALID') return t('signIn.wrong');
  if (code !== 'RATE_LIMITED' || retryAfterSeconds === null) return message;
  return t('signIn.wait', { minutes: Math.ceil(retryAfterSeconds / 60) });
}
