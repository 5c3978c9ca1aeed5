import { Button, SegmentedControl } from '@mantine/core';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { useState } from 'react';
import { signedCurl } from '../../samples/curl.ts';
import { SECRET_VARIABLE } from '../../samples/sample.ts';
import { sluiceCommand } from '../../samples/sluice-command.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton, CopyTextButton } from '../../ui/copy-button.tsx';
import { Note } from '../../ui/note.tsx';
import { prettyJson } from '../../ui/pretty-json.ts';
import { Compare } from './compare.tsx';
import classes from './drawer.module.css';

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
    <div className={classes.stack}>
      {request.address !== null && (
        <p>
          Sent from <code>{request.address}</code>
          <CopyButton text={request.address} what="client address" />
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
      <div className={classes.bodyBar}>
        <SegmentedControl
          aria-label="Body format"
          data={[
            { value: 'pretty', label: 'Pretty' },
            { value: 'raw', label: 'As sent' },
          ]}
          value={view}
          onChange={setView}
        />
        <div className={classes.buttons}>
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
