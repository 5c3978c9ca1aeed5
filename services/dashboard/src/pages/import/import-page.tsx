import { Button, NativeSelect } from '@mantine/core';
import type { ImportItem, ImportUndone } from '@sluice/dashboard-api/imports';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source } from '@sluice/dashboard-api/sources';
import { CSV_TEMPLATE, missingFields } from '@sluice/import/read/mapping';
import { useState } from 'react';
import { Link } from 'react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { downloadText } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page.tsx';
import { AdminsOnly, Empty, Loaded } from '../../ui/states.tsx';
import { localTime } from '../../ui/time.ts';
import { useToast } from '../../ui/toaster.tsx';
import { counted, number } from '../../ui/words.ts';
import { BOM } from './bad-rows.ts';
import { EventColumns, FeedField } from './event-columns.tsx';
import { EventPreview } from './event-preview.tsx';
import { FileField } from './file-and-columns.tsx';
import { ImportSteps } from './import-steps.tsx';
import { LastImport, UndoDialog } from './last-import.tsx';
import { useFeed, useImport } from './use-import.ts';

export function ImportPage() {
  const mayChange = useMay('admin');
  const sources = useRead(ROUTES.sources.list, {}, { enabled: mayChange });
  return (
    <Page
      title="Import"
      crumbs={[{ label: 'Knowledge' }, { label: 'Events', to: '/events' }]}
      lead="Import events into a source from a CSV file, an iCalendar file or a feed. There is no rate limit here. Each row counts towards the plan."
    >
      {mayChange ? (
        <Loaded query={sources}>
          {({ items }) => (items.length === 0 ? <NoSource /> : <ImportForm sources={items} />)}
        </Loaded>
      ) : (
        <AdminsOnly icon="events" what="import" />
      )}
    </Page>
  );
}

function NoSource() {
  return (
    <Empty
      icon="webhook"
      title="Add a source first"
      actions={
        <Button component={Link} to="/events/webhook">
          Add a source
        </Button>
      }
    >
      Every event belongs to a source, even if the source never sends anything.
    </Empty>
  );
}

/** Imports events from a file or a feed. */
function ImportForm({ sources }: { readonly sources: readonly Source[] }) {
  const [sourceId, setSourceId] = useState(sources[0]?.source_id ?? '');
  const one = useImport(sourceId);
  const { table, mapping } = one;
  return (
    <ImportSteps
      steps={one}
      choose={
        <>
          <NativeSelect
            label="Source"
            description="The events belong to this source. Later requests to its webhook can update or cancel them."
            data={sources.map(({ source_id, name }) => ({ value: source_id, label: name }))}
            value={sourceId}
            disabled={one.stage.name === 'checking'}
            onChange={(event) => {
              setSourceId(event.currentTarget.value);
              if (table !== null) one.remap(mapping);
            }}
          />
          <FileOrFeed one={one} />
        </>
      }
      map={(read) => <EventColumns one={one} table={read} />}
      isMapped={missingFields(mapping).length === 0}
      onCheck={() => void one.check()}
      preview={(read, rows) => (
        <EventPreview
          table={read}
          mapping={mapping}
          rows={rows}
          notes={one.planNotes}
          zone={read.calendar?.zone ?? one.zone}
          onImport={() => void one.start(rows)}
        />
      )}
      words={({ accepted = 0 }, total, finished) =>
        `${finished ? 'Accepted' : 'So far'} ${number(accepted)} of ${total}.${finished ? ' They appear under Events in a moment.' : ''}`
      }
      show={{
        to: `/events?when=all&import=${one.importId}`,
        label: 'Show imported events',
      }}
      lastImport={<LastEventImport onUndone={one.leaveResult} />}
    />
  );
}

function FileOrFeed({ one }: { readonly one: ReturnType<typeof useImport> }) {
  const feed = useFeed(one);
  return (
    <>
      <FileField
        onFile={(file) => {
          feed.forget();
          void one.choose(file);
        }}
      />
      <Button
        variant="subtle"
        className="start"
        leftSection={<Icon name="download" size={16} />}
        onClick={() => downloadText('events.csv', BOM + CSV_TEMPLATE)}
      >
        Download a CSV template
      </Button>
      <FeedField pending={feed.pending} error={feed.error} onUrl={(url) => void feed.read(url)} />
    </>
  );
}

/** `onUndone`: the result of this import says no longer what is. */
function LastEventImport({ onUndone }: { readonly onUndone: () => void }) {
  const item = useRead(ROUTES.events.lastImport, {}).data?.import ?? null;
  if (item === null) return null;
  return (
    <LastImport
      item={item}
      what={` into ${item.source_name}, ${counted(item.events, 'event')}`}
      undoDialog={(onClose) => <UndoEventsDialog item={item} onUndone={onUndone} onClose={onClose} />}
    />
  );
}

const UNDO_WORDS = {
  count: (count: number) => counted(count, 'event'),
  gone: 'deleted',
  restored: 'previous content back. This counts towards the plan, like an upsert.',
  untouched: 'not changed by the import: still queued, not found for a cancel, or already undone.',
} as const;

interface UndoEventsDialogProps {
  readonly item: ImportItem;
  readonly onUndone: () => void;
  readonly onClose: () => void;
}

function UndoEventsDialog({ item, onUndone, onClose }: UndoEventsDialogProps) {
  const body = { source_id: item.source_id, import_id: item.import_id };
  const effect = useRead(ROUTES.events.checkUndo, { body }, { forgets: true });
  const undo = useWrite(ROUTES.events.undoImport, [ROUTES.events.lastImport, ROUTES.events.list]);
  const toast = useToast();
  const onSuccess = (undone: ImportUndone) => {
    toast(
      <>
        {inWords(undone)} <Link to="/events">Show events</Link>
      </>,
      { stays: true },
    );
    onUndone();
    onClose();
  };
  return (
    <UndoDialog
      fileName={item.file_name}
      effect={effect}
      effectOf={({ deleted, left_events, ...rest }) => ({
        ...rest,
        gone: deleted,
        names: left_events.map(({ event_id: id, title, starts_at }) => ({
          id,
          name: (
            <>
              {title} <span className="dimmed nowrap">{localTime(starts_at)}</span>
            </>
          ),
        })),
      })}
      words={UNDO_WORDS}
      undo={undo}
      onUndo={() => undo.mutate({ body }, { onSuccess, onError: () => void effect.refetch() })}
      onClose={onClose}
    />
  );
}

function inWords({ deleted, restored, refused }: ImportUndone): string {
  const over = refused === 0 ? '' : `, ${number(refused)} skipped because the plan limit is reached`;
  return `Undone: ${number(deleted)} deleted, ${number(restored)} restored${over}. The list updates in a moment.`;
}
