import type { KeyCreated } from '@sluice/dashboard-api/keys';
import { CodeBlock } from '../../ui/copy.tsx';
import { ShownOnce } from '../../ui/secrets.tsx';
import { Note } from '../../ui/states.tsx';

const VARIABLE = 'SLUICE_API_KEY';

interface KeyShownOnceProps {
  readonly created: KeyCreated;
  readonly onDone: () => void;
}

/** Shows the full key, once. */
export function KeyShownOnce({ created: { key }, onDone }: KeyShownOnceProps) {
  return (
    <ShownOnce
      text={key}
      what="key"
      label="API key"
      file={{ name: 'sluice-api-key.env', text: `${VARIABLE}=${key}\n`, label: 'Download .env' }}
      intro={
        <Note tone="warn">
          The full key is shown only once. It cannot be looked up later, not even by an owner.
        </Note>
      }
      lost="the key"
      saved="I saved it"
      onDone={onDone}
    >
      <CodeBlock title="Try it" code={tryIt()} what="try-it command" />
    </ShownOnce>
  );
}

/** Asks for the key, so that it stays out of the shell history. In parentheses, the shell reads all lines before it asks. */
function tryIt(): string {
  return `(
printf 'Paste the key, then press Enter: ' >&2; read -rs ${VARIABLE}; echo >&2
curl -H "Authorization: Bearer $${VARIABLE}" \\
  ${window.location.origin}/api/public/automation/me
)`;
}
