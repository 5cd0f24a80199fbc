import { Button, Code, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { DataTable, Pager, type TableColumn } from '../design/data-table.tsx';
import { Dialog } from '../design/dialog.tsx';
import { FailureView } from '../design/failure-view.tsx';
import { FormDialog } from '../design/form-dialog.tsx';
import { JobBar } from '../design/job-bar.tsx';
import { Fact, Part } from '../design/part.tsx';
import { Empty, NoMatch, Screen } from '../design/screen.tsx';
import { Count, Instant, Money, None, Status } from '../design/values.tsx';
import { DateRange } from '../fields/date-range.tsx';
import { type EntityKind, EntityPicker } from '../fields/entity-picker.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { failureFrom } from '../graph/failures.ts';
import { say } from '../graph/toasts.ts';
import type { Act } from '../graph/use-act.ts';
import { JsonFields, SchemaForms } from './forms.tsx';
import { Plots } from './plots.tsx';

/**
 * Shows every shared component in all its states, for developers and for the tests. Only builds with `--mode
 * bench` contain it. Its headings are the names of the components, so that it needs no translated texts.
 */
export default function Bench() {
  return (
    <Screen title="Bench">
      <Tables />
      <Pickers />
      <Days />
      <Dialogs />
      <Values />
      <Plots />
      <States />
      <JsonFields />
      <SchemaForms />
    </Screen>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly points: number | null;
  readonly at: string | null;
}

const ROWS: readonly Row[] = Array.from({ length: 8 }, (_, place) => ({
  id: String(place),
  name: place === 0 ? '=Row 0' : `Row ${place}`,
  status: place % 2 ? 'ACTIVE' : 'FAILED',
  points: place === 3 ? null : place * 1_000,
  at: place === 4 ? null : `2026-03-0${place + 1}T10:00:00Z`,
}));

const COLUMNS: TableColumn<Row>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'status', title: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    ...{ key: 'points', title: 'Points', isNumber: true, value: ({ points }) => points },
    sorts: { asc: 'POINTS_ASC', desc: 'POINTS_DESC' },
  },
  { key: 'at', title: 'Time', cell: ({ at }) => <Instant at={at} /> },
  { key: 'extra', title: 'Extra', cell: ({ id }) => id, isExtra: true },
];

function Tables() {
  const [sort, setSort] = useState('POINTS_ASC');
  const [done, setDone] = useState('');
  const rows = sort === 'POINTS_ASC' ? ROWS : ROWS.toReversed();
  const shared = { columns: COLUMNS, rowKey: ({ id }: Row) => id, empty: <Empty title="Empty" /> };
  const turns = { hasNextPage: true, hasPreviousPage: false };
  return (
    <Stack>
      <DataTable
        {...shared}
        label="Rows"
        rows={rows}
        list="bench"
        sort={{ by: sort, choose: setSort }}
        nameOf={({ name }) => name}
        bulkActs={({ rows: selected, clear }) => (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setDone(selected.map(({ id }) => id).join());
              clear();
            }}
          >
            Act
          </Button>
        )}
      />
      <output aria-label="Acted on">{done}</output>
      <Pager page={turns} size="25" hasSizes onMove={() => undefined} />
      <Part title="DataTable, waiting">
        <DataTable {...shared} label="Waiting" rows={undefined} />
      </Part>
      <Part title="DataTable, empty">
        <DataTable {...shared} label="None" rows={[]} />
      </Part>
      <Part title="DataTable, nothing matches">
        <DataTable {...shared} label="No match" rows={[]} empty={<NoMatch onClear={() => undefined} />} />
      </Part>
    </Stack>
  );
}

const KINDS: readonly EntityKind[] = ['member', 'store', 'segment', 'couponPool', 'product'];

function Pickers() {
  const [picked, setPicked] = useState<Partial<Record<EntityKind, string>>>({});
  return (
    <Part title="EntityPicker">
      <Group align="start">
        {KINDS.map((kind) => (
          <EntityPicker
            key={kind}
            kind={kind}
            label={`Pick ${kind}`}
            value={picked[kind] ?? ''}
            onChange={(id) => setPicked((before) => ({ ...before, [kind]: id }))}
          />
        ))}
        <EntityPicker kind="store" label="Refused" required error="Refused" onChange={() => undefined} />
      </Group>
      <output aria-label="Picked">{Object.values(picked).filter(Boolean).join()}</output>
    </Part>
  );
}

function Days() {
  const [days, setDays] = useState<{ from?: string | undefined; to?: string | undefined }>({});
  return (
    <>
      <Part title="DateRange">
        <Group align="start">
          <DateRange days={days} onChange={setDays} />
        </Group>
        <output aria-label="Days">{`${days.from ?? ''}/${days.to ?? ''}`}</output>
      </Part>
      <Part title="DateRange, turned">
        <Group align="start">
          <DateRange days={{ from: '2026-03-02', to: '2026-03-01' }} onChange={() => undefined} />
        </Group>
      </Part>
    </>
  );
}

const OPENED = ['dialog', 'drawer', 'refused', 'final', 'once'] as const;
type Opened = (typeof OPENED)[number];

function Dialogs() {
  const [open, setOpen] = useState<Opened | null>(null);
  const close = () => setOpen(null);
  return (
    <Part title="Dialogs">
      <Group>
        {OPENED.map((kind) => (
          <Button key={kind} variant="default" onClick={() => setOpen(kind)}>
            {`Open ${kind}`}
          </Button>
        ))}
        <Button variant="default" onClick={() => say({ text: 'Said' })}>
          Say
        </Button>
      </Group>
      {open === 'once' && (
        <Dialog title="once" onClose={close} isShownOnce>
          <Stack>
            <Code block>secret</Code>
            <Button onClick={close} data-autofocus>
              Kept
            </Button>
          </Stack>
        </Dialog>
      )}
      {open && open !== 'once' && <ShownForm kind={open} onClose={close} />}
    </Part>
  );
}

function ShownForm({ kind, onClose }: { readonly kind: Opened; readonly onClose: () => void }) {
  const form = useForm({ initialValues: { name: '', days: '' } });
  const act: Act<object, object> = {
    run: async () => ({}),
    isRunning: false,
    failure: kind === 'refused' ? failureFrom('COUPON_REDEEMED', 'CONFLICT', {}) : null,
    clearFailure: () => undefined,
  };
  return (
    <FormDialog
      title={kind}
      submit="Save"
      form={form}
      act={act}
      variables={() => ({})}
      onDone={onClose}
      onClose={onClose}
      isLong={kind === 'drawer'}
      danger={kind === 'final' ? { name: 'Gold', isFinal: true } : undefined}
    >
      <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />
      <NumberField label="Number" unit="days" {...form.getInputProps('days')} />
    </FormDialog>
  );
}

function Values() {
  return (
    <Part title="Values">
      <Fact label="Money">
        <Money of={{ amountMinor: '-1250', currency: 'EUR' }} />
      </Fact>
      <Fact label="Instant">
        <Instant at="2026-03-01T10:00:00Z" />
      </Fact>
      <Fact label="Count">
        <Count of={1_234_567} />
      </Fact>
      <Fact label="None">
        <None reason="Why" />
      </Fact>
      {['ACTIVE', 'FAILED', 'PAUSED'].map((status) => (
        <Fact key={status} label="Status">
          <Status of={status} />
        </Fact>
      ))}
    </Part>
  );
}

function States() {
  return (
    <>
      <Part title="JobBar">
        <Stack>
          <JobBar label="Running" job={{ id: 'Running', state: 'RUNNING', processed: 40, total: 100 }} />
          <JobBar label="Unknown length" job={{ id: 'Unknown length', state: 'RUNNING', processed: 40 }} />
          <JobBar label="Ended" job={{ id: 'Ended', state: 'COMPLETED', processed: 100, total: 100 }} />
        </Stack>
      </Part>
      <Part title="FailureView">
        <Stack>
          <FailureView failure={failureFrom('ROLE_REQUIRED', 'FORBIDDEN', {})} color="yellow" />
          <FailureView failure={failureFrom('NETWORK', 'NETWORK', {})} onRetry={() => undefined} />
        </Stack>
      </Part>
    </>
  );
}
