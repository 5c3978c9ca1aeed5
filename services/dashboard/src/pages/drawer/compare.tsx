import { UnstyledButton } from '@mantine/core';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Note } from '../../ui/note.tsx';
import { prettyJson } from '../../ui/pretty-json.ts';
import { Loaded } from '../../ui/states.tsx';
import { type DiffLine, diffLines } from './diff-lines.ts';
import classes from './drawer.module.css';

interface CompareProps {
  readonly body: string;
  /** The delivery to compare with. */
  readonly previousId: string;
  readonly onOpen: (deliveryId: string) => void;
}

/** Shows the differences between this delivery and the previous delivery of its event. */
export function Compare({ body, previousId, onOpen }: CompareProps) {
  const previous = useRead(ROUTES.deliveries.show, { params: { deliveryId: previousId } });
  return (
    <Loaded query={previous}>
      {({ delivery, request }) => (
        <section className={classes.stack} aria-label="Compared with the previous delivery">
          <p className="small">
            The previous delivery of this event, <Ago at={delivery.received_at} />:{' '}
            <UnstyledButton className={classes.link} onClick={() => onOpen(delivery.delivery_id)}>
              <code>{delivery.delivery_id}</code>
            </UnstyledButton>
          </p>
          <Difference before={request.body} now={body} />
        </section>
      )}
    </Loaded>
  );
}

function Difference({
  before,
  now,
}: {
  readonly before: DeliveryDetail['request']['body'];
  readonly now: string;
}) {
  if (before === null)
    return <Note tone="quiet">The previous body is not stored, so there is nothing to compare.</Note>;
  if (before === now) return <Note tone="quiet">The two bodies are the same, byte for byte.</Note>;
  const lines = diffLines(prettyJson(before), prettyJson(now));
  if (lines === null) return <Note tone="quiet">The two bodies are too long to compare here.</Note>;
  if (lines.every(({ kind }) => kind === 'same'))
    return <Note tone="quiet">The two bodies have the same content. Only spaces or line breaks differ.</Note>;
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
