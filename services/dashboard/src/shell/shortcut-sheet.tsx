import { Kbd } from '@mantine/core';
import { Modal } from '../ui/modal.tsx';
import classes from './shortcut-sheet.module.css';

const SHORTCUTS = [
  [['/'], 'Focus the filter of a list'],
  [['j', 'k'], 'Next, previous row'],
  [['Enter'], 'Open the row'],
  [['Space'], 'Pick up or drop a card of the board of leads'],
  [['Esc'], 'Close the open panel'],
  [['Ctrl', 'K'], 'Go to a page, or paste the id of a delivery, request or lead'],
  [['?'], 'Show this sheet'],
] as const;

export function ShortcutSheet({
  opened,
  onClose,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="sm">
      <dl className="stack-small">
        {SHORTCUTS.map(([keys, what]) => (
          <div key={what} className={classes.row}>
            <dt className={classes.keys}>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
