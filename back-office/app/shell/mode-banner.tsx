import { UnstyledButton } from '@mantine/core';
import { hidePersonalData, useHiddenData } from '../graph/hidden-data.ts';
import { useScope } from '../graph/scope.ts';
import { useText } from '../messages/text.ts';
import classes from './frame.module.css';

/** Says on every screen that what is shown is a trial. */
export function ModeBanner() {
  const t = useText();
  const { mode } = useScope();
  if (mode === 'LIVE') return null;
  return (
    <div className={classes['banner']} role="status">
      {t('mode.banner')}
    </div>
  );
}

/** Says on every screen that personal data are hidden, and shows them again. */
export function HiddenBanner() {
  const t = useText();
  if (!useHiddenData()) return null;
  return (
    <div className={classes['banner']} data-hidden role="status">
      {t('personal.hidden')}
      <UnstyledButton className={classes['again'] ?? ''} onClick={() => hidePersonalData(false)}>
        {t('personal.show')}
      </UnstyledButton>
    </div>
  );
}
