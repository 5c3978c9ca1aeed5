import type { ReactNode } from 'react';

interface FactsProps {
  /** The values of a record by their names. Those without a value are left out. */
  readonly of: Readonly<Record<string, ReactNode>>;
  readonly className?: string | undefined;
  /** In place of a list without values. */
  readonly empty?: string;
}

/** The names and values of a record. */
export function Facts({ of, className = '', empty }: FactsProps) {
  const facts = Object.entries(of).filter(([, value]) => value != null && value !== false && value !== '');
  if (facts.length === 0 && empty !== undefined) return <p className="dimmed small">{empty}</p>;
  return (
    <dl className={`pairs ${className}`}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
