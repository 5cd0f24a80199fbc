import { Center, Paper, Stack, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useText } from '../messages/text.ts';
import { Logo } from './logo.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Signing in, as a page. */
export default function SignIn() {
  const t = useText();
  useEffect(() => {
    document.title = t('signIn.title');
  }, [t]);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={400}>
        <Stack gap="lg">
          <Logo />
          <Title order={1} size="h3">
            {t('signIn.title')}
          </Title>
          <SignInForm />
        </Stack>
      </Paper>
    </Center>
  );
}
