import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { Icon } from '../ui/icons.tsx';
import { Modal } from '../ui/modal.tsx';
import classes from './command-palette.module.css';
import { usePaletteEntries } from './palette-entries.ts';

interface CommandPaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Opens a page, a source, a key or an event by its title. A pasted id opens what it names. It begins empty each time. */
export function CommandPalette({ opened, onClose }: CommandPaletteProps) {
  return opened ? <Palette onClose={onClose} /> : null;
}

function Palette({ onClose }: Pick<CommandPaletteProps, 'onClose'>) {
  const [text, setText] = useState('');
  const [current, setCurrent] = useState(0);
  const navigate = useNavigate();
  const entries = usePaletteEntries(text);
  const go = (to: string | undefined) => {
    if (to === undefined) return;
    onClose();
    void navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setCurrent((index) => (index + step + entries.length) % Math.max(1, entries.length));
    }
    if (event.key === 'Enter') go(entries[current]?.to);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="md"
      aria-label="Go to"
      yOffset="12vh"
      centered={false}
    >
      <TextInput
        data-autofocus
        autoFocus
        role="combobox"
        aria-label="Go to a page, a source, a key, the title of an event, or an id"
        aria-expanded
        aria-controls="palette"
        aria-activedescendant={entries[current] === undefined ? undefined : `palette-${current}`}
        placeholder="Page, source, key, title, or a pasted id"
        leftSection={<Icon name="search" />}
        size="md"
        variant="unstyled"
        className={classes.input}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setCurrent(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette" role="listbox" aria-label="Places" className={classes.list}>
        {entries.map(({ to, label, hint, icon }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys.
          <div
            key={to}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === current}
            tabIndex={-1}
            className={classes.entry}
            onClick={() => go(to)}
            onMouseMove={() => setCurrent(index)}
          >
            <Icon name={icon} />
            <span className="ellipsis">{label}</span>
            <span className={classes.hint}>{hint}</span>
          </div>
        ))}
        {entries.length === 0 && <p className={classes.none}>No matches.</p>}
      </div>
    </Modal>
  );
}
