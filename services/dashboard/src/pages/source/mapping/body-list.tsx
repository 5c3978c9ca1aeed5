import { memo, useEffect, useMemo, useRef } from 'react';
import { Ago } from '../../../ui/ago.tsx';
import { Chip, type Tone } from '../../../ui/chip.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { prettyJson } from '../../../ui/pretty-json.ts';
import { Empty, Loaded, Note } from '../../../ui/states.tsx';
import classes from './body-list.module.css';
import { type Mapping, type Tried, tryMapping } from './mapper.ts';
import type { Body, useBodies } from './use-bodies.ts';

interface BodyListProps {
  readonly bodies: ReturnType<typeof useBodies>;
  /** null: there is none, or it has errors. */
  readonly mapping: Mapping | null;
  /** In place of a result: why there is no mapping. */
  readonly without: string;
}

/** The last bodies, each with what the mapping makes of it. One opens to show its text. */
export function BodyList({ bodies: { list, items, named }, ...result }: BodyListProps) {
  return (
    <Loaded query={list}>
      {() =>
        items.length === 0 ? (
          <Empty icon="download" title="No bodies yet">
            Let the sender send something. Its body appears here, with what the mapping makes of it.
          </Empty>
        ) : (
          <ul className="stack-small">
            {items.map((item) => (
              <li key={item.delivery.delivery_id}>
                <BodyItem {...result} item={item} isNamed={item.delivery.delivery_id === named} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

interface BodyItemProps extends Omit<BodyListProps, 'bodies'> {
  readonly item: Body;
  /** Whether the address names it, so that it begins open. */
  readonly isNamed: boolean;
}

/** Each key in the mapping renders the list. */
const BodyItem = memo(function BodyItem({
  item: { delivery, body },
  mapping,
  without,
  isNamed,
}: BodyItemProps) {
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone it is below the mapping.
    if (isNamed) summary.current?.focus();
  }, [isNamed]);
  const tried = useMemo(
    () => (mapping === null || body === null ? null : tryMapping(mapping, body)),
    [mapping, body],
  );
  const formatted = useMemo(() => prettyJson(body?.text ?? ''), [body]);
  return (
    <details open={isNamed} className={classes.body}>
      <summary ref={summary}>
        {tried !== null && <Chip tone={TONES[tried.outcome]}>{tried.outcome}</Chip>}
        <span className={`${classes.title} ellipsis`}>
          <bdi>
            {tried === null ? (body === null ? 'Not stored' : without) : (tried.title ?? tried.details[0])}
          </bdi>
        </span>
        <span className="dimmed small">
          {tried !== null && tried.rule !== null && `/rules/${tried.rule} · `}
          <Ago at={delivery.received_at} />
        </span>
      </summary>
      <div className={classes.content}>
        {tried !== null && <Result tried={tried} />}
        {body === null ? (
          <Note tone="quiet">This body is not stored.</Note>
        ) : (
          <CodeBlock title={delivery.delivery_id} code={formatted} what="body" wrap />
        )}
      </div>
    </details>
  );
});

const TONES: Record<Tried['outcome'], Tone> = {
  upsert: 'ok',
  cancel: 'ok',
  delete: 'ok',
  ignored: 'quiet',
  failed: 'bad',
};

function Result({ tried: { outcome, fields, details } }: { readonly tried: Tried }) {
  return (
    <>
      {fields.length > 0 && (
        <Facts
          of={Object.fromEntries(fields.map(([label, value]) => [label, <bdi key={label}>{value}</bdi>]))}
        />
      )}
      {details.map((detail) => (
        <Note key={detail} tone={outcome === 'failed' ? 'bad' : 'quiet'}>
          {detail}
        </Note>
      ))}
    </>
  );
}
