import { Switch } from '@mantine/core';
import { DataTable, type TableColumn } from '../../design/data-table.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { Instant } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { undoing } from '../../graph/toasts.ts';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useReloadViewer } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { ModulesDocument, type ModulesQuery, SetModuleDocument } from './generated/modules.ts';

type Row = ModulesQuery['modules'][number];

export default function Modules() {
  const t = useText();
  return (
    <Guarded title={t('modules.title')} document="Modules">
      <ModulesScreen />
    </Guarded>
  );
}

/** The modules of the workspace. A disabled module disappears from the menu at once. */
function ModulesScreen() {
  const t = useText();
  const { data, failure, reload } = useScreen(ModulesDocument, {});
  const act = useAct(SetModuleDocument, [], (_, { key, enabled }) => ({
    text: t(enabled ? 'toast.moduleOn' : 'toast.moduleOff', { name: labelOf(key) }),
    undo: undoing(SetModuleDocument, { key, enabled: !enabled }),
  }));
  const labelOf = (key: string) => data?.modules.find((each) => each.key === key)?.label ?? key;
  const canSet = useCan('SetModule');
  const reloadViewer = useReloadViewer();
  const columns: TableColumn<Row>[] = [
    {
      key: 'switch',
      title: t('modules.module'),
      cell: ({ key, label, isEnabled }) => (
        <Switch
          label={label}
          checked={isEnabled}
          disabled={!canSet || act.isRunning}
          onChange={() => void act.run({ key, enabled: !isEnabled }).then(reloadViewer)}
        />
      ),
    },
    { key: 'key', title: t('modules.key'), cell: ({ key }) => key },
    { key: 'at', title: t('modules.changed'), cell: ({ changedAt }) => <Instant at={changedAt} /> },
  ];
  return (
    <Screen title={t('modules.title')} failure={failure} onRetry={reload}>
      {act.failure && <FailureView failure={act.failure} />}
      <DataTable
        label={t('modules.title')}
        columns={columns}
        rows={data?.modules}
        rowKey={({ key }) => key}
        empty={<Empty title={t('list.none')} />}
      />
    </Screen>
  );
}
