import { Alert, Button, Group, Portal } from '@mantine/core';
import { loadNewVersion, tryConnection, useConnection } from '../graph/connection.ts';
import { useText } from '../messages/text.ts';
import classes from './connection-bar.module.css';

/** Says over everything else that there is no connection, or that there is a newer version. */
export function ConnectionBar() {
  const t = useText();
  const connection = useConnection();
  if (connection === 'on') return null;
  const isOff = connection === 'off';
  return (
    <Portal>
      <Alert className={classes['bar'] ?? ''} color="yellow" variant="filled" autoContrast role="status">
        <Group justify="space-between">
          {isOff ? t('connection.off') : t('connection.replaced')}
          <Button
            size="xs"
            variant="default"
            onClick={() => void (isOff ? tryConnection() : loadNewVersion())}
          >
            {isOff ? t('error.retry') : t('connection.load')}
          </Button>
        </Group>
      </Alert>
    </Portal>
  );
}
