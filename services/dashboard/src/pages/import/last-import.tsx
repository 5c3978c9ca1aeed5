import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Ago } from '../../ui/ago.tsx';
import { ConfirmDialog } from '../../ui/dialog-parts.tsx';
import type { Change } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';

interface LastImportProps {
  readonly item: {
    readonly file_name: string;
    readonly imported_by: string;
    readonly imported_at: string;
    readonly undone_at: string | null;
  };
  /** Behind the file name, such as `, 3 leads`. */
  readonly what: string;
  /** The dialog that asks before the undo. */
  readonly undoDialog: (onClose: () => void) => ReactNode;
}

/** Shows the last import, with a button to undo it. */
export function LastImport({ item, what, undoDialog }: LastImportProps) {
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Last import">
      <div className="row-between breaks">
        <p>
          <strong>{item.file_name}</strong>
          {what}{' '}
          <span className="dimmed">
            by {item.imported_by}, <Ago at={item.imported_at} />
          </span>
        </p>
        {item.undone_at === null ? (
          <Button variant="default" onClick={() => setAsking(true)}>
            Undo this import
          </Button>
        ) : (
          <span className="dimmed">
            undone <Ago at={item.undone_at} />
          </span>
        )}
      </div>
      {asking && undoDialog(() => setAsking(false))}
    </Card>
  );
}

interface Effect {
  /** Records that the import created. */
  readonly gone: number;
  readonly restored: number;
  readonly untouched: number;
  /** Records that were changed since. */
  readonly left: number;
  /** The first of them. */
  readonly names: readonly { readonly id: string; readonly name: ReactNode }[];
}

interface UndoDialogProps<Answer> {
  readonly fileName: string;
  readonly effect: Parameters<typeof Loaded<Answer>>[0]['query'];
  readonly effectOf: (answer: Answer) => Effect;
  readonly words: {
    /** `3 leads` */
    readonly count: (count: number) => string;
    readonly gone: 'deleted' | 'erased';
    /** Completes “… changed by the import gets its”. */
    readonly restored: string;
    /** Completes “3 leads …”. */
    readonly untouched: string;
  };
  readonly undo: Change;
  /** Closing the dialog stops the undo. */
  readonly stops?: boolean;
  readonly onUndo: () => void;
  readonly onClose: () => void;
  /** The progress. */
  readonly children?: ReactNode;
}

/** Shows the effect of an undo before it runs. */
export function UndoDialog<Answer>(props: UndoDialogProps<Answer>) {
  const { fileName, effect, effectOf, words, undo, stops = false, onUndo, onClose, children } = props;
  const known = effect.data === undefined ? undefined : effectOf(effect.data);
  const isOff = known !== undefined && known.gone + known.restored === 0;
  return (
    <ConfirmDialog
      opened
      title={`Undo the import of “${fileName}”?`}
      confirm={isOff ? undefined : 'Undo import'}
      ready={known !== undefined}
      dismiss={isOff ? 'Close' : stops && undo.isPending ? 'Stop' : 'Cancel'}
      stays={!stops && undo.isPending}
      change={{
        isPending: undo.isPending || (known === undefined && effect.error === null),
        error: undo.error,
      }}
      onConfirm={onUndo}
      onClose={onClose}
    >
      <Loaded query={effect}>{(answer) => <EffectInWords effect={effectOf(answer)} words={words} />}</Loaded>
      {children}
    </ConfirmDialog>
  );
}

interface EffectInWordsProps extends Pick<UndoDialogProps<never>, 'words'> {
  readonly effect: Effect;
}

function EffectInWords({ effect, words }: EffectInWordsProps) {
  const { gone, restored, untouched, left, names } = effect;
  return (
    <>
      {gone + restored === 0 && <p>There is nothing to undo.</p>}
      {gone > 0 && (
        <p>
          <strong>{words.count(gone)}</strong> created by the import {gone === 1 ? 'is' : 'are'} {words.gone}.
        </p>
      )}
      {restored > 0 && (
        <p>
          <strong>{words.count(restored)}</strong> changed by the import{' '}
          {restored === 1 ? 'gets its' : 'get their'} {words.restored}
        </p>
      )}
      {untouched > 0 && (
        <p className="dimmed">
          {words.count(untouched)} {words.untouched}
        </p>
      )}
      {left > 0 && (
        <>
          <p>
            <strong>{words.count(left)}</strong> {left === 1 ? 'has' : 'have'} changed since the import and{' '}
            {left === 1 ? 'is' : 'are'} skipped:
          </p>
          <ul className="bullets breaks">
            {names.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
            {left > names.length && <li>and {words.count(left - names.length)} more</li>}
          </ul>
        </>
      )}
    </>
  );
}
