import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { PasswordField } from '../fields/password-field.tsx';
import { type CallFailure, failureFrom } from '../graph/failures.ts';
import { SessionError, signIn } from '../graph/session.ts';
import { useSentences } from '../messages/sentences.ts';
import { useText } from '../messages/text.ts';
import { emptyFields } from './empty-fields.ts';

/**
 * The form with e-mail address and password: on the sign-in page, and over a screen after the session has
 * expired.
 */
export function SignInForm({ email: known = '' }: { readonly email?: string }) {
  const t = useText();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const sentence = useSentence(failure);

  async function send(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const empty = emptyFields(event.currentTarget);
    setMissing(empty);
    if (empty.length > 0) return;
    setBusy(true);
    try {
      await signIn(email, password);
    } catch (error) {
      setFailure(error instanceof SessionError ? error.failure : failureFrom('NETWORK', 'NETWORK', {}));
    }
    setBusy(false);
  }
  const errorOf = (name: string) => missing.includes(name) && t('form.required');
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <Stack>
        <TextInput
          name="email"
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          value={email}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
          error={errorOf('email')}
        />
        <PasswordField
          name="password"
          label={t('signIn.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
          error={errorOf('password')}
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
