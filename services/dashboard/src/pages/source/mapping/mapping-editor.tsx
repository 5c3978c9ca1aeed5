import { Button, Textarea } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SourceSender } from '@sluice/dashboard-api/senders';
import type { Source } from '@sluice/dashboard-api/sources';
import { setUpOf } from '@sluice/signature/presets/set-up';
import { useDeferredValue, useMemo, useState } from 'react';
import { useWrite } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../ui/dialog-parts.tsx';
import { Card } from '../../../ui/page.tsx';
import { useToast } from '../../../ui/toaster.tsx';
import { useUnsaved } from '../../../ui/unsaved.ts';
import { counted } from '../../../ui/words.ts';
import { DiffLines } from '../../drawer/diff-view.tsx';
import classes from '../test-tab.module.css';
import { BodyList } from './body-list.tsx';
import { type Mapping, readText, type Stored, tryMapping } from './mapper.ts';
import { useBodies } from './use-bodies.ts';

const EXAMPLE = JSON.stringify(
  {
    rules: [
      {
        when: [{ at: '/type', eq: 'booking.created' }],
        do: 'upsert',
        event: { title: { at: '/booking/name' }, starts_at: { at: '/booking/start' } },
      },
      { do: 'ignore' },
    ],
  },
  null,
  2,
);

interface MappingEditorProps {
  readonly source: Source;
  readonly sender: SourceSender;
}

/** The mapping as JSON beside the last bodies, each with what the typed mapping makes of it. */
export function MappingEditor({ source, sender }: MappingEditorProps) {
  const stored = textOf(sender.mapping);
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? stored;
  const shown = useDeferredValue(text);
  const read = useMemo(() => readText(shown), [shown]);
  const mapping = 'mapping' in read ? read.mapping : null;
  const bodies = useBodies(source.source_id);
  const [saving, setSaving] = useState(false);
  const isDirty = text !== stored;
  useUnsaved(isDirty);
  return (
    <div className={classes.columns}>
      <Card title="Mapping">
        <div className="stack-small">
          <p className="dimmed">
            The first rule whose conditions are all met decides. It reads the fields of the event by pointers
            into the body, such as <code>/booking/start</code>.
          </p>
          <Textarea
            aria-label="Mapping"
            value={text}
            onChange={(event) => setDraft(event.currentTarget.value)}
            error={'errors' in read && <Errors errors={read.errors} />}
            placeholder="No mapping: the bodies have to be actions of Sluice."
            wrap="off"
            autosize
            minRows={14}
            maxRows={32}
            classNames={{ input: 'mono' }}
            spellCheck={false}
          />
          <div className="row">
            <Button disabled={!isDirty || 'errors' in read} onClick={() => setSaving(true)}>
              Save mapping
            </Button>
            {isDirty && (
              <Button variant="default" onClick={() => setDraft(null)}>
                Discard changes
              </Button>
            )}
            <Insert sender={sender} text={text} mapping={mapping} onInsert={setDraft} />
          </div>
        </div>
      </Card>
      <Card title="Last bodies">
        <BodyList
          bodies={bodies}
          mapping={mapping}
          without={'errors' in read ? 'The mapping has errors' : 'No mapping'}
        />
      </Card>
      <SaveDialog
        opened={saving}
        source={source}
        sender={sender}
        mapping={mapping}
        bodies={bodies.items.flatMap(({ body }) => (body === null ? [] : [body]))}
        onSaved={() => setDraft(null)}
        onClose={() => setSaving(false)}
      />
    </div>
  );
}

const textOf = (mapping: Mapping | SourceSender['mapping']) =>
  mapping === null ? '' : JSON.stringify(mapping, null, 2);

interface InsertProps {
  readonly sender: SourceSender;
  readonly text: string;
  readonly mapping: Mapping | null;
  readonly onInsert: (text: string) => void;
}

/** Offers the mapping of the preset, or an example in place of no rules. */
function Insert({ sender, text, mapping, onInsert }: InsertProps) {
  const preset = textOf(sender.preset_mapping);
  const hasRules = (Object(sender.preset_mapping).rules ?? []).length > 0;
  const isEmpty = text.trim() === '' || mapping?.rules.length === 0;
  if (hasRules ? text === preset : !isEmpty) return null;
  return (
    <Button variant="subtle" onClick={() => onInsert(hasRules ? preset : EXAMPLE)}>
      {hasRules ? `Insert that of ${setUpOf(sender.preset)?.title}` : 'Insert an example'}
    </Button>
  );
}

/** Each error with its place. */
function Errors({ errors }: { readonly errors: readonly { pointer: string; detail: string }[] }) {
  return errors.map(({ pointer, detail }) => (
    <span key={pointer + detail} className={classes.error}>
      {pointer !== '' && <code>{pointer}</code>} {detail}
    </span>
  ));
}

interface SaveDialogProps extends MappingEditorProps {
  readonly opened: boolean;
  readonly mapping: Mapping | null;
  readonly bodies: readonly Stored[];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Shows what changes, in the mapping and for the last bodies, before it is saved. */
function SaveDialog({ opened, source, sender, mapping, bodies, onSaved, onClose }: SaveDialogProps) {
  const toast = useToast();
  const save = useWrite(ROUTES.sources.changeMapping, [ROUTES.sources.sender]);
  return (
    <ConfirmDialog
      opened={opened}
      title="Save this mapping?"
      confirm="Save mapping"
      danger={false}
      change={save}
      onConfirm={() =>
        save.mutate(
          { params: { sourceId: source.source_id }, body: { mapping } },
          {
            onSuccess: () => {
              onSaved();
              onClose();
              toast('Mapping saved. The next request uses it.');
            },
          },
        )
      }
      onClose={onClose}
    >
      <Effect sender={sender} mapping={mapping} bodies={bodies} />
    </ConfirmDialog>
  );
}

/** Rendered only while the dialog is open, because it maps each body twice. */
function Effect({ sender, mapping, bodies }: Pick<SaveDialogProps, 'sender' | 'mapping' | 'bodies'>) {
  const stored = textOf(sender.mapping);
  const before = readText(stored);
  const known = 'mapping' in before ? before.mapping : null;
  const changed = bodies.filter((body) => resultOf(known, body) !== resultOf(mapping, body));
  return (
    <>
      {mapping === null ? (
        <p>
          {sender.preset_mapping === null
            ? 'The mapping is removed. From the next request on, bodies have to be actions of Sluice.'
            : 'The mapping that comes with the preset is restored.'}
        </p>
      ) : (
        <p>
          The next request uses it. Of the last {counted(bodies.length, 'body', 'bodies')},{' '}
          {counted(changed.length, 'gets', 'get')} another result. Deliveries that were received before stay
          as they are until you reprocess them.
        </p>
      )}
      <DiffLines before={stored} now={textOf(mapping)} />
    </>
  );
}

const resultOf = (mapping: Mapping | null, body: Stored) =>
  mapping === null ? null : JSON.stringify(tryMapping(mapping, body));
