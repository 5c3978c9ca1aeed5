import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CopyButton } from '../../ui/copy-button.tsx';
import layout from '../source/set-up.module.css';
import classes from './connect.module.css';

/** One of the five steps that connect a platform. */
export interface Step {
  readonly title: string;
  readonly body: ReactNode;
}

export interface Platform {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  /** `baseUrl` is the address of this installation, without a slash at its end. */
  readonly steps: (baseUrl: string) => readonly Step[];
}

/** A field of a platform's form, and what goes into it. */
export function Value({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className={classes.value}>
      <span>{label}</span>
      <span className={layout.line}>
        <code className={layout.box}>{text}</code>
        <CopyButton text={text} what={label} />
      </span>
    </div>
  );
}

/** The step that every platform has: a key with the scopes that its steps need. */
export function keyStep(scopes: string): Step {
  return {
    title: 'Create an API key',
    body: (
      <p>
        Open <Link to="/settings/api-keys">API Keys</Link>, create a key with the scopes {scopes}, and copy
        it. It is shown once.
      </p>
    ),
  };
}

/** The step that shows that it works. */
export function leadStep(then: string): Step {
  return {
    title: 'Create a lead',
    body: (
      <p>
        <Link to="/leads?new=lead">Create a lead</Link>. {then} The workflow appears under Connected.
      </p>
    ),
  };
}
