import { Button, NativeSelect, SegmentedControl, Textarea } from '@mantine/core';
import { BREAKS, type Break } from '@sluice/dashboard-api/breaks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source } from '@sluice/dashboard-api/sources';
import { type FormEvent, useState } from 'react';
import { useWrite } from '../../api/queries.ts';
import { Icon } from '../../ui/icons.tsx';
import { Note } from '../../ui/note.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, ErrorNote } from '../../ui/states.tsx';
import { bodyOf, EventForm, exampleDraft } from './event-form.tsx';
import { SignatureDebugger } from './signature/signature-debugger.tsx';
import { TestResponse } from './test-response.tsx';
import classes from './test-tab.module.css';

const BREAK_OPTIONS = Object.entries(BREAKS).map(([value, label]) => ({ value, label }));

/** Sends a signed request through the real ingress and shows the response beside it. */
export function TestTab({ source }: { readonly source: Source }) {
  const [mode, setMode] = useState<'form' | 'json'>('form');
  const [draft, setDraft] = useState(exampleDraft);
  const [json, setJson] = useState({ text: '', isEdited: false });
  const [breaking, setBreaking] = useState<Break>('none');
  const send = useWrite(ROUTES.sources.testSend, [ROUTES.deliveries.list]);
  const fromForm = () => setJson({ text: bodyOf(draft), isEdited: false });
  const switchMode = (next: string) => {
    // The form cannot show every JSON, so an edited one is kept until the user asks for the form's again.
    if (next === 'json' && !json.isEdited) fromForm();
    setMode(next as 'form' | 'json');
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const body = mode === 'form' ? bodyOf(draft) : json.text;
    send.mutate({ params: { sourceId: source.source_id }, body: { body, break: breaking } });
  };
  return (
    <div className={classes.columns}>
      <Card>
        <form className={classes.form} onSubmit={onSubmit}>
          <SegmentedControl
            aria-label="Body editor"
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            value={mode}
            onChange={switchMode}
            className={classes.mode}
          />
          {mode === 'form' ? (
            <>
              {json.isEdited && (
                <Note tone="quiet">The JSON keeps your edits. The form does not have them.</Note>
              )}
              <EventForm draft={draft} onChange={setDraft} />
            </>
          ) : (
            <>
              <Textarea
                label="Body"
                description="Sent byte for byte as written here"
                autosize
                minRows={12}
                maxRows={24}
                value={json.text}
                onChange={(event) => setJson({ text: event.currentTarget.value, isEdited: true })}
                classNames={{ input: 'mono' }}
                spellCheck={false}
              />
              {json.isEdited && (
                <Button variant="subtle" onClick={fromForm}>
                  Replace with the form’s body
                </Button>
              )}
            </>
          )}
          <NativeSelect
            label="Simulate an error"
            description="Shows the response a sender gets, and the row in the delivery log"
            data={BREAK_OPTIONS}
            value={breaking}
            onChange={(event) => setBreaking(event.currentTarget.value as Break)}
          />
          <Button type="submit" loading={send.isPending} leftSection={<Icon name="send" size={16} />}>
            Send a test event
          </Button>
        </form>
      </Card>
      <Card title="Response">
        {send.error !== null && <ErrorNote error={send.error} />}
        {send.data !== undefined && <TestResponse sent={send.data} sourceId={source.source_id} />}
        {send.error === null && send.data === undefined && (
          <Empty icon="send" title="Nothing sent yet">
            The event is signed, sent through the real ingress, and listed in Recent Deliveries.
          </Empty>
        )}
      </Card>
      <SignatureDebugger />
    </div>
  );
}
