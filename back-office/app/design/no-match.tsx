import { Button } from '@mantine/core';
import { useText } from '../messages/text.ts';
import { Empty } from './screen.tsx';

/** A list that is empty because of what it is limited to. */
export function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const t = useText();
  return (
    <Empty title={t('list.noMatch')}>
      <Button variant="default" onClick={onClear}>
        {t('list.clear')}
      </Button>
    </Empty>
  );
}
