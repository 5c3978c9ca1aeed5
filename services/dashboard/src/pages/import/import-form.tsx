import { Button, NativeSelect } from '@mantine/core';
import type { Source } from '@sluice/dashboard-api/sources';
import { CSV_TEMPLATE } from '@sluice/importing/csv-template';
import { countOf } from '@sluice/importing/import-table';
import { missingFields } from '@sluice/importing/mapping';
import { useState } from 'react';
import { downloadText } from '../../ui/clipboard.ts';
import { Icon } from '../../ui/icons.tsx';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { BOM } from '../import-parts/bad-rows.ts';
import { FileField } from '../import-parts/file-field.tsx';
import classes from '../import-parts/import.module.css';
import { CalendarFields } from './calendar-fields.tsx';
import { CheckResult } from './check-result.tsx';
import { FeedField } from './feed-field.tsx';
import { ImportResult } from './import-result.tsx';
import { LastImport } from './last-import.tsx';
import { MappingFields } from './mapping-fields.tsx';
import { useFeed } from './use-feed.ts';
import { useImport } from './use-import.ts';
import { ZoneField } from './zone-field.tsx';

/** Imports a file in steps, shown one below the other. */
export function ImportForm({ sources }: { readonly sources: readonly Source[] }) {
  const [sourceId, setSourceId] = useState(sources[0]?.source_id ?? '');
  const one = useImport(sourceId);
  const feed = useFeed(one.take);
  const { stage, table, mapping, error } = one;
  const running = stage.name === 'importing' || stage.name === 'imported';
  return (
    <div className={classes.stack}>
      {!running && (
        <Card>
          <div className={classes.stack}>
            <NativeSelect
              label="Source"
              description="The events belong to this source. Later requests to its webhook can update or cancel them."
              data={sources.map(({ source_id, name }) => ({ value: source_id, label: name }))}
              value={sourceId}
              disabled={stage.name === 'checking'}
              onChange={(event) => {
                setSourceId(event.currentTarget.value);
                if (table !== null) one.remap(mapping);
              }}
            />
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
            {stage.name === 'choose' && stage.why !== undefined && <Note tone="bad">{stage.why}</Note>}
          </div>
        </Card>
      )}
      {!running && table !== null && (
        <Card title={`${table.fileName}: ${countOf(table, table.rows.length)}`}>
          <div className={classes.stack}>
            {table.calendar === undefined ? (
              <>
                <MappingFields
                  table={table}
                  mapping={mapping}
                  disabled={stage.name === 'checking'}
                  onChange={one.remap}
                />
                {one.withoutZone > 0 && (
                  <ZoneField
                    usedFor={countOf(table, one.withoutZone)}
                    zone={one.zone}
                    ownZone={null}
                    disabled={stage.name === 'checking'}
                    onZone={(zone) => void one.inZone(zone)}
                  />
                )}
              </>
            ) : (
              <CalendarFields
                table={table}
                calendar={table.calendar}
                disabled={stage.name === 'checking'}
                onZone={(zone) => void one.inZone(zone)}
              />
            )}
            {error !== null && <ErrorNote error={error} />}
            {stage.name !== 'checked' && (
              <Button
                className={classes.start}
                disabled={missingFields(mapping).length > 0}
                loading={stage.name === 'checking'}
                onClick={() => void one.check()}
              >
                Check the file
              </Button>
            )}
          </div>
        </Card>
      )}
      {table !== null && stage.name === 'checked' && (
        <CheckResult
          table={table}
          mapping={mapping}
          rows={stage.rows}
          onImport={() => void one.start(stage.rows)}
        />
      )}
      {table !== null && (stage.name === 'importing' || stage.name === 'imported') && (
        <ImportResult
          table={table}
          job={stage.job}
          progress={stage.progress}
          finished={stage.name === 'imported'}
          error={error}
          onContinue={() => void one.resume(stage.job)}
          onAgain={one.again}
        />
      )}
      {stage.name !== 'importing' && <LastImport />}
    </div>
  );
}
