import { UnstyledButton } from '@mantine/core';
import { KEY_PRESETS } from '@sluice/dashboard-api/key-words';
import classes from './presets.module.css';

export type PresetId = (typeof KEY_PRESETS)[number]['id'];

interface PresetCardsProps {
  readonly selected: PresetId | null;
  readonly onSelect: (id: PresetId) => void;
}

/** The integration types of the specification, each with its minimum scopes. */
export function PresetCards({ selected, onSelect }: PresetCardsProps) {
  return (
    <fieldset className={classes.cards} aria-label="Kind of integration">
      {KEY_PRESETS.map(({ id, name, scopes }) => (
        <UnstyledButton
          key={id}
          className={classes.card}
          aria-pressed={id === selected}
          onClick={() => onSelect(id)}
        >
          <span className={classes.name}>{name}</span>
          <span className={classes.scopes}>{scopes.join(', ')}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

export function scopesOf(preset: PresetId | null): readonly string[] {
  return KEY_PRESETS.find(({ id }) => id === preset)?.scopes ?? [];
}
