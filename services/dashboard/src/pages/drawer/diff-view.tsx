import { Note } from '../../ui/states.tsx';
import { type DiffLine, diffLines } from './diff-lines.ts';
import classes from './drawer.module.css';

interface DiffLinesProps {
  readonly before: string;
  readonly now: string;
}

/** Shows which lines differ between two texts. */
export function DiffLines({ before, now }: DiffLinesProps) {
  const lines = diffLines(before, now);
  if (lines === null) return <Note tone="quiet">The two texts are too long to compare here.</Note>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it.
    <pre className={classes.diff} tabIndex={0}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position.
        <Line key={index} line={line} />
      ))}
    </pre>
  );
}

const MARKS = { same: '  ', gone: '- ', new: '+ ' } as const;

function Line({ line: { kind, text } }: { readonly line: DiffLine }) {
  const line = MARKS[kind] + text;
  if (kind === 'gone') return <del data-kind="gone">{line}</del>;
  if (kind === 'new') return <ins data-kind="new">{line}</ins>;
  return <span>{line}</span>;
}
