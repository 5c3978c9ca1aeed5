import { ShownOnce } from '../../ui/secrets.tsx';
import { Note } from '../../ui/states.tsx';
import classes from './two-factor.module.css';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Shows the recovery codes, once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const text = codes.join('\n');
  return (
    <ShownOnce
      text={text}
      what="recovery codes"
      label="Recovery codes"
      shown={
        <ul className={classes.codes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      }
      file={{ name: 'sluice-recovery-codes.txt', text: `${text}\n`, label: 'Download' }}
      intro={
        <Note tone="warn">
          Save these recovery codes now. They are not shown again. Each signs you in once if you lose your
          app.
        </Note>
      }
      lost="the codes"
      saved="I saved them"
      onDone={onDone}
    />
  );
}
