import { Button } from '@mantine/core';
import type { KeyCreated } from '@sluice/dashboard-api/keys';
import { useState } from 'react';
import { Checkbox } from '../../ui/checkbox.ts';
import { downloadText } from '../../ui/clipboard.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import dialog from '../../ui/dialog.module.css';
import { Icon } from '../../ui/icons.tsx';
import { Note } from '../../ui/note.tsx';
import { SecretText } from '../../ui/secret-text.tsx';
import { useStay } from '../../ui/use-stay.ts';

const VARIABLE = 'SLUICE_API_KEY';

/** Shows the full key, once. */
export function KeyShownOnce({
  created,
  onDone,
}: {
  readonly created: KeyCreated;
  readonly onDone: () => void;
}) {
  const [saved, setSaved] = useState(false);
  const triedToLeave = useStay(!saved);
  return (
    <div className={dialog.body}>
      <Note tone="warn">
        The full key is shown only once. It cannot be looked up later, not even by an owner.
      </Note>
      <SecretText text={created.key} label="API key" />
      <div className={dialog.row}>
        <CopyTextButton text={created.key} what="key" primary autoFocus />
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => downloadText('sluice-api-key.env', `${VARIABLE}=${created.key}\n`)}
        >
          Download .env
        </Button>
      </div>
      <CodeBlock title="Try it" code={tryIt()} what="try-it command" />
      <Checkbox
        label="I saved it"
        checked={saved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      {triedToLeave && (
        <div role="alert">
          <Note tone="warn">Going back would lose the key. Save it, then tick “I saved it”.</Note>
        </div>
      )}
      <div className={dialog.buttons}>
        <Button disabled={!saved} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
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
