import { Button, NativeSelect } from '@mantine/core';
import type { Source } from '@sluice/dashboard-api/sources';
import { countOf, type ImportTable } from '@sluice/import/read/import-table';
import { CSV_TEMPLATE, missingFields } from '@sluice/import/read/mapping';
import { useState } from 'react';
import { downloadText } from '../../ui/clipboard.ts';
import { Icon } from '../../ui/icons.tsx';
import { BOM } from '../import-parts/bad-rows.ts';
import { FileField } from '../import-parts/file-field.tsx';
import classes from '../import-parts/import.module.css';
import { ImportSteps } from '../import-parts/import-steps.tsx';
import { CalendarFields } from './calendar-fields.tsx';
import { CheckResult } from './check-result.tsx';
import { FeedField } from './feed-field.tsx';
import { ImportResult } from './import-result.tsx';
import { LastImport } from './last-import.tsx';
import { MappingFields } from './mapping-fields.tsx';
import { useFeed } from './use-feed.ts';
import { useImport } from './use-import.ts';
import { ZoneField } from './zone-field.tsx';

/** Imports events from a file or a feed. */
export function ImportForm({ sources }: { readonly sources: readonly Source[] }) {
  const [sourceId, setSourceId] = useState(sources[0]?.source_id ?? '');
  const one = useImport(sourceId);
  const { table, mapping } = one;
  const isChecking = one.stage.name === 'checking';
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
            disabled={isChecking}
            onChange={(event) => {
              setSourceId(event.currentTarget.value);
              if (table !== null) one.remap(mapping);
            }}
          />
          <FileOrFeed one={one} />
        </>
      }
      map={(read) => <ColumnFields one={one} table={read} disabled={isChecking} />}
      isMapped={missingFields(mapping).length === 0}
      onCheck={() => void one.check()}
      preview={(read, rows) => (
        <CheckResult table={read} mapping={mapping} rows={rows} onImport={() => void one.start(rows)} />
      )}
      result={(props) => <ImportResult {...props} />}
      lastImport={<LastImport />}
    />
  );
}

type Import = ReturnType<typeof useImport>;

function FileOrFeed({ one }: { readonly one: Import }) {
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
        className={classes.start}
        leftSection={<Icon name="download" size={16} />}
        onClick={() => downloadText('events.csv', BOM + CSV_TEMPLATE)}
      >
        Download a CSV template
      </Button>
      <FeedField pending={feed.pending} error={feed.error} onUrl={(url) => void feed.read(url)} />
    </>
  );
}

interface ColumnFieldsProps {
  readonly one: Import;
  readonly table: ImportTable;
  readonly disabled: boolean;
}

function ColumnFields({ one, table, disabled }: ColumnFieldsProps) {
  const { mapping, withoutZone, zone, remap, inZone } = one;
  const onZone = (next: string) => void inZone(next);
  const { calendar } = table;
  if (calendar !== undefined)
    return <CalendarFields table={table} calendar={calendar} disabled={disabled} onZone={onZone} />;
  return (
    <>
      <MappingFields table={table} mapping={mapping} disabled={disabled} onChange={remap} />
      {withoutZone > 0 && (
        <ZoneField
          usedFor={countOf(table, withoutZone)}
          zone={zone}
          ownZone={null}
          disabled={disabled}
          onZone={onZone}
        />
      )}
    </>
  );
}
