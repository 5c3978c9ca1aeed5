import { LEAD_MATCHES, type LeadMatch } from '@sluice/dashboard-api/lead-names';
import type { LeadMapping } from '@sluice/import/read/lead-mapping';
import { Checkbox } from '../../ui/checkbox.ts';
import classes from '../import-parts/import.module.css';
import { fieldWord } from '../leads/lead-words.ts';

interface MatchFieldProps {
  readonly mapping: LeadMapping;
  readonly value: readonly LeadMatch[];
  readonly disabled: boolean;
  readonly onChange: (value: readonly LeadMatch[]) => void;
}

/** Chooses how a row finds a lead that exists. */
export function MatchField({ mapping, value, disabled, onChange }: MatchFieldProps) {
  return (
    <Checkbox.Group
      label="Update existing leads with the same"
      description="Without a match, a row creates a new lead."
      value={[...value]}
      onChange={(chosen) => onChange(LEAD_MATCHES.filter((one) => chosen.includes(one)))}
    >
      <div className={classes.choices}>
        {LEAD_MATCHES.map((field) => (
          <Checkbox
            key={field}
            value={field}
            label={fieldWord(field)}
            disabled={disabled || mapping.fields[field] === undefined}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
