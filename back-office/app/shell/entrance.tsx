import { Anchor } from '@mantine/core';
import { type ComponentType, Suspense } from 'react';
import { lazyPart } from '../graph/lazy-part.ts';
import { useText } from '../messages/text.ts';
import { EntrancePage } from './entrance-page.tsx';
import { SignInForm } from './sign-in-form.tsx';

const others: Readonly<Record<string, ComponentType>> = {
  '/app/sign-up': lazyPart(() => import('./sign-up.tsx')),
  '/app/forgot-password': lazyPart(() => import('./forgot-password.tsx')),
};

/**
 * The pages for visitors who are not signed in: sign-up, forgotten password, and the sign-in at every other
 * address.
 */
export default function Entrance() {
  const Page = others[location.pathname] ?? SignIn;
  return (
    <Suspense>
      <Page />
    </Suspense>
  );
}

function SignIn() {
  const t = useText();
  const links = (
    <>
      <Anchor href="/app/forgot-password">{t('signIn.forgot')}</Anchor>
      <Anchor href="/app/sign-up">{t('signUp.title')}</Anchor>
    </>
  );
  return (
    <EntrancePage title={t('signIn.title')} links={links}>
      <SignInForm />
    </EntrancePage>
  );
}
