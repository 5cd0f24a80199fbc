import { Modal } from '@mantine/core';
import { useText } from '../messages/text.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Asks for the password over a screen, which keeps its typed values. */
export default function SignInAgain({ email }: { readonly email: string }) {
  const t = useText();
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      title={t('signIn.again')}
      centered
    >
      <SignInForm email={email} />
    </Modal>
  );
}
