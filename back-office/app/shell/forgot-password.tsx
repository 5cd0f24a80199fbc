import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FailureView } from '../design/failure-view.tsx';
import { useText } from '../messages/text.ts';
import { EntrancePage } from './entrance-page.tsx';
import { ForgotPasswordDocument } from './generated/sign-up.ts';
import { useEntranceForm } from './use-entrance-form.ts';

/** Requests a link by mail. The response is the same whether or not the address has an account. */
export default function ForgotPassword() {
  const t = useText();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { onSubmit, isRunning, errors, failure } = useEntranceForm(
    ForgotPasswordDocument,
    ({ email }: Readonly<Record<'email', string>>) => ({ email: email.trim() }),
    ({ email }) => setSentTo(email.trim()),
  );
  return (
    <EntrancePage title={t('forgot.title')} links={<Anchor href="/app/">{t('forgot.back')}</Anchor>}>
      {sentTo !== null && <Text role="status">{t('forgot.sent', { email: sentTo })}</Text>}
      {sentTo === null && (
        <form onSubmit={onSubmit} noValidate>
          <Stack gap="md">
            <Text c="dimmed">{t('forgot.text')}</Text>
            <TextInput
              name="email"
              label={t('signIn.email')}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              error={errors.email}
            />
            {failure && <FailureView failure={failure} />}
            <Button type="submit" loading={isRunning}>
              {t('forgot.submit')}
            </Button>
          </Stack>
        </form>
      )}
    </EntrancePage>
  );
}
