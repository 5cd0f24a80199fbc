import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { FailureView } from '../design/failure-view.tsx';
import { PasswordField } from '../fields/password-field.tsx';
import { signIn } from '../graph/session.ts';
import { useText } from '../messages/text.ts';
import { EntrancePage } from './entrance-page.tsx';
import { SignUpDocument } from './generated/sign-up.ts';
import { useEntranceForm } from './use-entrance-form.ts';

type Field = 'name' | 'email' | 'password' | 'workspaceName';

/** Creates an account with a new workspace, and signs the person in. */
export default function SignUp() {
  const t = useText();
  const { onSubmit, isRunning, errors, failure } = useEntranceForm(
    SignUpDocument,
    ({ name, email, password, workspaceName }: Readonly<Record<Field, string>>) => ({
      input: { name, email: email.trim(), password, workspaceName: workspaceName.trim() || null },
    }),
    // If the sign-in fails, the sign-in page shows the reason.
    ({ email, password }) => void signIn(email.trim(), password).catch(() => location.assign('/app/')),
    { ACCOUNT_EXISTS: 'email' },
  );
  return (
    <EntrancePage
      title={t('signUp.title')}
      links={
        <>
          <span>{t('signUp.known')}</span>
          <Anchor href="/app/">{t('signIn.title')}</Anchor>
        </>
      }
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          <TextInput
            name="workspaceName"
            label={t('account.workspace')}
            description={t('signUp.workspaceHint')}
            autoComplete="organization"
            error={errors.workspaceName}
          />
          <TextInput
            name="name"
            label={t('signUp.name')}
            autoComplete="name"
            required
            withAsterisk={false}
            error={errors.name}
          />
          <TextInput
            name="email"
            label={t('signIn.email')}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            error={errors.email}
          />
          <PasswordField
            name="password"
            label={t('signIn.password')}
            description={t('signUp.passwordHint')}
            autoComplete="new-password"
            required
            withAsterisk={false}
            error={errors.password}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
          />
          {failure && <FailureView failure={failure} />}
          <Button type="submit" loading={isRunning}>
            {t('signUp.title')}
          </Button>
        </Stack>
      </form>
    </EntrancePage>
  );
}
