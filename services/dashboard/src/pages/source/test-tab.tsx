import { Button, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { BREAKS, type Break } from '@sluice/dashboard-api/breaks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Source } from '@sluice/dashboard-api/sources';
import type { TestSent } from '@sluice/dashboard-api/test-send';
import { sampleBody } from '@sluice/signature/presets/samples';
import { setUpOf } from '@sluice/signature/presets/set-up';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { useWrite } from '../../api/queries.ts';
import { deliveriesPath, deliveryPath } from '../../shell/page-links.ts';
import { StatusChip } from '../../ui/chip.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card } from '../../ui/page.tsx';
import { PasswordInput } from '../../ui/password-input.ts';
import { prettyJson } from '../../ui/pretty-json.ts';
import { Empty, ErrorNote, Note } from '../../ui/states.tsx';
import { duration } from '../../ui/time.ts';
import { bodyOf, EventForm, exampleDraft } from './event-form.tsx';
import { checkSignature, type SignatureCheck, type Signed } from './signature/check-signature.ts';
import classes from './test-tab.module.css';

const BREAK_OPTIONS = Object.entries(BREAKS).map(([value, label]) => ({ value, label }));
/** The others are errors in an action, which is not what other senders send. */
const FOREIGN_BREAKS = new Set(['none', 'bad_signature', 'no_signature', 'broken_json', 'twice']);

/** Sends a signed request through the real ingress and shows the response beside it. */
export function TestTab({ source }: { readonly source: Source }) {
  const platform = setUpOf(source.sender);
  const [sample] = useState(() => sampleOf(source.sender));
  const [mode, setMode] = useState<'form' | 'json'>(sample === undefined ? 'form' : 'json');
  const [draft, setDraft] = useState(exampleDraft);
  const [json, setJson] = useState({ text: sample ?? '', isEdited: sample !== undefined });
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
        <form className="stack-small" onSubmit={onSubmit}>
          <SegmentedControl
            aria-label="Body editor"
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            value={mode}
            onChange={switchMode}
            className="start"
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
            data={platform ? BREAK_OPTIONS.filter(({ value }) => FOREIGN_BREAKS.has(value)) : BREAK_OPTIONS}
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
            The event is signed{platform && ` like ${platform.title}`}, sent through the real ingress, and
            listed in Recent Deliveries.
          </Empty>
        )}
      </Card>
      {platform === undefined && <SignatureDebugger />}
    </div>
  );
}

/** A body as the platform sends it; undefined for senders of actions. */
function sampleOf(preset: string): string | undefined {
  const sample = sampleBody(preset, Date.now());
  return sample && JSON.stringify(sample, null, 2);
}

interface TestResponseProps {
  readonly sent: TestSent;
  readonly sourceId: string;
}

function TestResponse({ sent, sourceId }: TestResponseProps) {
  const { request, answer } = sent;
  return (
    <div className="stack-small" role="status">
      <p className="row">
        <StatusChip status={answer.status} />
        <span className="dimmed">in {duration(answer.duration_ms)}</span>
        <Link {...linkOf(answer.body, sourceId)}>See it in Recent Deliveries</Link>
      </p>
      <CodeBlock title="Response" code={prettyJson(answer.body)} what="response" wrap />
      <CodeBlock title="Request headers" code={lines(request.headers)} what="request headers" wrap />
    </div>
  );
}

function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Links to the row of this request. Its page waits until the row is in the log. */
function linkOf(body: string, sourceId: string) {
  const id = /"(?:delivery_id|request_id)":\s*"((?:dlv|req)_\w+)"/.exec(body)?.[1];
  return id === undefined
    ? { to: deliveriesPath(sourceId) }
    : { to: deliveryPath(id), state: { isNew: true } };
}

const EMPTY: Signed = { body: '', timestamp: '', signature: '', secret: '' };

/** Compares a signature with the expected one. All of it happens in this browser; nothing is sent or stored. */
function SignatureDebugger() {
  const [signed, setSigned] = useState(EMPTY);
  const [check, setCheck] = useState<SignatureCheck | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const change = (field: Partial<Signed>) => {
    setCheck(null);
    setSigned((before) => ({ ...before, ...field }));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setError(null);
    checkSignature(signed).then(setCheck, setError);
  };
  return (
    <Card title="Check a signature">
      <form className="stack-small" onSubmit={onSubmit}>
        <p className="dimmed">
          Paste what the sender signed. Your browser computes the signature. Nothing is sent or stored.
        </p>
        <Textarea
          label="Signed body"
          autosize
          minRows={3}
          maxRows={12}
          value={signed.body}
          onChange={(event) => change({ body: event.currentTarget.value })}
          classNames={{ input: 'mono' }}
          spellCheck={false}
        />
        <TextInput
          label="X-Service-Timestamp"
          value={signed.timestamp}
          onChange={(event) => change({ timestamp: event.currentTarget.value })}
        />
        <TextInput
          label="X-Service-Signature"
          placeholder="sha256=…"
          value={signed.signature}
          onChange={(event) => change({ signature: event.currentTarget.value })}
          spellCheck={false}
        />
        <PasswordInput
          label="Secret of the sender"
          placeholder="whsec_…"
          autoComplete="off"
          value={signed.secret}
          onChange={(event) => change({ secret: event.currentTarget.value })}
        />
        <div>
          <Button type="submit" variant="default">
            Check signature
          </Button>
        </div>
        {error !== null && <ErrorNote error={error} />}
        {check !== null && <Result {...check} timestamp={signed.timestamp} />}
      </form>
    </Card>
  );
}

function Result({ expected, matches, slip, timestamp }: SignatureCheck & Pick<Signed, 'timestamp'>) {
  const age = Math.round(Math.abs(Date.now() / 1000 - Number(timestamp)));
  return (
    <div className="stack-small" role="status">
      <Note tone={matches ? 'ok' : 'warn'}>
        {matches
          ? 'The signature matches this body, timestamp and secret.'
          : (slip ??
            'The signature does not match. Is it the current secret, and are these the exact bytes?')}
      </Note>
      {!/^\d+$/.test(timestamp) && <p>The timestamp is not a decimal number of seconds.</p>}
      {/^\d{13,}$/.test(timestamp) && <p>The timestamp is in milliseconds. Send Unix time in seconds.</p>}
      {/^\d{1,12}$/.test(timestamp) && age > 300 && (
        <p className="dimmed">
          The timestamp is {age.toLocaleString('en')} s from now. A request is accepted within 300 s.
        </p>
      )}
      <CodeBlock title="Expected X-Service-Signature" code={expected} what="expected signature" wrap />
    </div>
  );
}
