import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type CallFailure, failureFrom } from '../../graph/failures.ts';
import { SessionError, signIn } from '../../graph/session/session.ts';
import { useSentences } from '../../messages/sentences.ts';
import { useText } from '../../messages/text.ts';

/** E-mail and password, on the page of signing in and over a screen whose session has ended. */
export function SignInForm({ email: known = '' }: { readonly email?: string }) {
  const t = useText();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const sentence = useSentence(failure);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await signIn(email, password);
    } catch (error) {
      setFailure(error instanceof SessionError ? error.failure : failureFrom('NETWORK', 'NETWORK', {}));
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
        {sentence && (
          <Text c="red" role="alert" size="sm">
            {sentence}
          </Text>
        )}
        <Button type="submit" loading={isBusy}>
          {t('signIn.submit')}
        </Button>
      </Stack>
    </form>
  );
}

function useSentence(failure: CallFailure | null): string | null {
  const t = useText();
  const say = useSentences(failure !== null);
  if (!failure) return null;
  const { reason, retryAfterSeconds } = failure;
  if (reason === 'CREDENTIAL_INVALID') return t('signIn.wrong');
  if (reason === 'RATE_LIMITED' && retryAfterSeconds !== null)
    return t('signIn.wait', { minutes: Math.ceil(retryAfterSeconds / 60) });
  return say?.ofFailure(failure) ?? null;
}
