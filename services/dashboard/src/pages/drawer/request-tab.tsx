import { Button, SegmentedControl } from '@mantine/core';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { signedCurl } from '../../samples/curl.ts';
import { SECRET_VARIABLE } from '../../samples/sample.ts';
import { sluiceCommand } from '../../samples/sluice-command.ts';
import { Ago } from '../../ui/ago.tsx';
import { CodeBlock, Copied, CopyTextButton } from '../../ui/copy.tsx';
import { prettyJson } from '../../ui/pretty-json.ts';
import { Loaded, Note } from '../../ui/states.tsx';
import { DeliveryButton } from './delivery-button.tsx';
import { DiffLines } from './diff-view.tsx';

const ABSENT: Record<NonNullable<DeliveryDetail['body_absent']>, string> = {
  no_request: 'Created in the dashboard; there is no request to show.',
  not_signed: "Body not stored: the signature wasn't valid.",
  too_large: 'Body not stored: it is larger than 64 KiB.',
  switched_off: 'Body not stored: the settings of the source keep no bodies.',
  failures_only: 'Body not stored: the source keeps bodies of failures only.',
  not_text: 'Body not stored: it is not UTF-8 text.',
  sent_again: 'Body not stored: the sender was asked to send the request again.',
  counted: 'This row counts many requests. Their bodies are not stored.',
  not_kept: 'Body not stored, or visible to owners and admins only.',
};

interface RequestTabProps {
  readonly detail: DeliveryDetail;
  readonly onOpen: (deliveryId: string) => void;
}

export function RequestTab({ detail, onOpen }: RequestTabProps) {
  const { request, body_absent: absent } = detail;
  const headers = [
    `POST ${request.url}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return (
    <div className="stack">
      {request.address !== null && (
        <p className="line">
          Sent from <Copied text={request.address} what="client address" />
        </p>
      )}
      <CodeBlock title="Headers" code={headers.join('\n')} what="headers" wrap />
      {request.body === null ? (
        <Note tone="quiet">{ABSENT[absent ?? 'not_kept']}</Note>
      ) : (
        <Body detail={detail} body={request.body} onOpen={onOpen} />
      )}
    </div>
  );
}

interface BodyProps extends RequestTabProps {
  readonly body: string;
}

function Body({ detail: { request, previous }, body, onOpen }: BodyProps) {
  const [view, setView] = useState('pretty');
  const [compares, setCompares] = useState(false);
  const { bytes } = request;
  const curl = curlOf(request, body);
  const command = sluiceCommand({ url: request.url, body });
  return (
    <>
      <div className="row-between">
        <SegmentedControl
          aria-label="Body format"
          data={[
            { value: 'pretty', label: 'Pretty' },
            { value: 'raw', label: 'As sent' },
          ]}
          value={view}
          onChange={setView}
        />
        <div className="row">
          {previous !== null && (
            <Button variant="default" aria-pressed={compares} onClick={() => setCompares(!compares)}>
              Compare with previous
            </Button>
          )}
          {curl !== null && <CopyTextButton text={curl} what="as curl" />}
          {command !== null && <CopyTextButton text={command} what="as sluice command" />}
        </div>
      </div>
      {compares && previous !== null && <Compare body={body} previousId={previous} onOpen={onOpen} />}
      <CodeBlock
        title={bytes === null ? 'Body' : `Body · ${bytes.toLocaleString('en')} bytes`}
        code={view === 'pretty' ? prettyJson(body) : body}
        what="body"
        wrap
      />
      {curl !== null && (
        <p className="dimmed small">
          The curl command sends this body again. The sluice command sends its action again. Both create a new
          signature with the secret in <code>{SECRET_VARIABLE}</code>, because the old one is not stored and
          has expired.
        </p>
      )}
    </>
  );
}

function curlOf({ url, headers }: DeliveryDetail['request'], body: string): string | null {
  if (body.includes('\0')) return null;
  const contentType = headers['Content-Type'];
  return signedCurl({ url, body, secret: null, ...(contentType !== undefined && { contentType }) });
}

interface CompareProps {
  readonly body: string;
  /** The delivery to compare with. */
  readonly previousId: string;
  readonly onOpen: (deliveryId: string) => void;
}

/** Shows the differences between this delivery and the previous delivery of its event. */
function Compare({ body, previousId, onOpen }: CompareProps) {
  const previous = useRead(ROUTES.deliveries.show, { params: { deliveryId: previousId } });
  return (
    <Loaded query={previous}>
      {({ delivery, request }) => (
        <section className="stack" aria-label="Compared with the previous delivery">
          <p className="small">
            The previous delivery of this event, <Ago at={delivery.received_at} />:{' '}
            <DeliveryButton id={delivery.delivery_id} onOpen={onOpen} />
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
  const [old, fresh] = [prettyJson(before), prettyJson(now)];
  if (old === fresh)
    return <Note tone="quiet">The two bodies have the same content. Only spaces or line breaks differ.</Note>;
  return <DiffLines before={old} now={fresh} />;
}
