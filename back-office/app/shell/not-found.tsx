import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty, Screen } from '../design/screen.tsx';
import { useText } from '../messages/text.ts';

export function NotFound() {
  const t = useText();
  return (
    <Screen title={t('notFound.title')}>
      <Empty title={t('notFound.text')}>
        <Anchor component={Link} to="/">
          {t('home.title')}
        </Anchor>
      </Empty>
    </Screen>
  );
}
