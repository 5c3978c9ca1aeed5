import { SCOPES } from '@sluice/contract/scopes';
import classes from '../../ui/check-grid.module.css';
import { Checkbox } from '../../ui/checkbox.ts';

interface ScopeFieldProps {
  readonly value: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
  readonly error: string | undefined;
}

/** Lists all scopes, each with a description. */
export function ScopeField({ value, onChange, error }: ScopeFieldProps) {
  return (
    <Checkbox.Group label="Scopes" value={[...value]} onChange={onChange} error={error}>
      <div className={classes.scopes}>
        {Object.entries(SCOPES).map(([scope, sentence]) => (
          <Checkbox key={scope} value={scope} label={<code>{scope}</code>} description={sentence} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
