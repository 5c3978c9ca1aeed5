import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Note } from '../../../ui/note.tsx';
import { Card } from '../../../ui/page.tsx';
import { PasswordInput } from '../../../ui/password-input.ts';
import { ErrorNote } from '../../../ui/states.tsx';
import classes from '../test-tab.module.css';
import { checkSignature, type SignatureCheck, type Signed } from './check-signature.ts';

const EMPTY: Signed = { body: '', timestamp: '', signature: '', secret: '' };

/** Compares a signature with the expected one. All of it happens in this browser; nothing is sent or stored. */
export function SignatureDebugger() {
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
      <form className={classes.form} onSubmit={onSubmit}>
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
    <div className={classes.form} role="status">
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
