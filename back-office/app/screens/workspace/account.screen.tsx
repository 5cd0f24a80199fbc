import { Button, Group, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Screen } from '../../design/screen.tsx';
import { Instant } from '../../design/values.tsx';
import { PasswordField } from '../../fields/password-field.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { signIn, signOut } from '../../graph/session.ts';
import { useAct } from '../../graph/use-act.ts';
import { useReloadViewer, useViewer } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { ChangePasswordDocument, UpdateProfileDocument } from './generated/account.ts';

/** The account of the signed-in person: name, password, sessions. */
export default function Account() {
  const [t, word] = [useText(), useWord()];
  const { user, role, signInExpiresAt } = useViewer();
  const [open, setOpen] = useState<'name' | 'password' | null>(null);
  const close = () => setOpen(null);
  return (
    <Screen title={t('account.title')}>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Part
          title={t('account.profile')}
          actions={
            <Button size="xs" variant="default" onClick={() => setOpen('name')}>
              {t('dialog.edit')}
            </Button>
          }
        >
          <Fact text="members.name">{user?.name}</Fact>
          <Fact text="members.email">{user?.email}</Fact>
          <Fact text="team.role">{role && word(role)}</Fact>
        </Part>
        <Part title={t('account.sessions')}>
          <Fact text="account.until">
            <Instant at={signInExpiresAt} />
          </Fact>
          <Group mt="md" gap="xs">
            <Button variant="default" onClick={() => setOpen('password')}>
              {t('account.changePassword')}
            </Button>
            <Button variant="default" onClick={() => void signOut(true)}>
              {t('account.signOutEverywhere')}
            </Button>
          </Group>
        </Part>
      </SimpleGrid>
      {open === 'name' && <NameDialog onClose={close} />}
      {open === 'password' && <PasswordDialog onClose={close} />}
    </Screen>
  );
}

function NameDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const { user } = useViewer();
  const reloadViewer = useReloadViewer();
  const act = useAct(UpdateProfileDocument, [], () => t('toast.saved'));
  const form = useForm({
    initialValues: { name: user?.name ?? '' },
    validate: { name: requiredText(t) },
  });
  return (
    <FormDialog
      title={t('account.profile')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={(input) => ({ input })}
      onDone={() => {
        reloadViewer();
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput label={t('members.name')} required data-autofocus {...form.getInputProps('name')} />
    </FormDialog>
  );
}

/** Changes the password. This ends all sessions, so the person is signed in again with the new password. */
function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const { user } = useViewer();
  const act = useAct(ChangePasswordDocument, [], () => t('toast.password'));
  const required = (password: string) => (password ? null : t('form.required'));
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: { currentPassword: required, newPassword: required },
  });
  return (
    <FormDialog
      title={t('account.changePassword')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={(input) => ({ input })}
      onDone={() => {
        void signIn(user?.email ?? '', form.getValues().newPassword);
        onClose();
      }}
      onClose={onClose}
    >
      <PasswordField
        label={t('account.current')}
        autoComplete="current-password"
        required
        data-autofocus
        {...form.getInputProps('currentPassword')}
      />
      <PasswordField
        label={t('account.new')}
        autoComplete="new-password"
        required
        {...form.getInputProps('newPassword')}
      />
    </FormDialog>
  );
}
