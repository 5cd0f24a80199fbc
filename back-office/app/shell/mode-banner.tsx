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
