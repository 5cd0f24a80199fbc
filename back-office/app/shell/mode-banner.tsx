import { Alert } from '@mantine/core';
import { useScope } from '../graph/scope.ts';
import { useText } from '../messages/text.ts';
import classes from './mode-banner.module.css';

/** Says on every screen that what is shown is a trial. */
export function ModeBanner() {
  const t = useText();
  const { mode } = useScope();
  if (mode === 'LIVE') return null;
  return (
    <Alert color="yellow" mb="md" className={classes['stripes'] ?? ''} role="status">
      {t('mode.banner')}
    </Alert>
  );
}
