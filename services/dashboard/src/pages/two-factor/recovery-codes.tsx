import { Button } from '@mantine/core';
import { useState } from 'react';
import { Checkbox } from '../../ui/checkbox.ts';
import { downloadText } from '../../ui/clipboard.ts';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import dialog from '../../ui/dialog.module.css';
import { Icon } from '../../ui/icons.tsx';
import { Note } from '../../ui/note.tsx';
import { useStay } from '../../ui/use-stay.ts';
import classes from './two-factor.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Shows the recovery codes, once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const [saved, setSaved] = useState(false);
  const triedToLeave = useStay(!saved);
  const text = codes.join('\n');
  return (
    <div className={classes.stack}>
      <Note tone="warn">
        Save these recovery codes now. They are not shown again. Each signs you in once if you lose your app.
      </Note>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={dialog.row}>
        <CopyTextButton text={text} what="recovery codes" primary autoFocus />
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => downloadText('sluice-recovery-codes.txt', `${text}\n`)}
        >
          Download
        </Button>
      </div>
      <Checkbox
        label="I saved them"
        checked={saved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      {triedToLeave && (
        <div role="alert">
          <Note tone="warn">Going back would lose the codes. Save them, then tick “I saved them”.</Note>
        </div>
      )}
      <div>
        <Button disabled={!saved} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
