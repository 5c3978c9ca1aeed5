import { Button, SegmentedControl } from '@mantine/core';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { useState } from 'react';
import { signedCurl } from '../../samples/curl.ts';
import { SECRET_VARIABLE } from '../../samples/sample.ts';
import { sluiceCommand } from '../../samples/sluice-command.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyTextButton } from '../../ui/copy-button.tsx';
import { Note } from '../../ui/note.tsx';
import { prettyJson } from '../../ui/pretty-json.ts';
import { Compare } from './compare.tsx';
import classes from './drawer.module.css';

const ABSENT: Record<NonNullable<DeliveryDetail['body_absent']>, string> = {
  no_request: 'No request made it, so there is none to show.',
  not_signed: 'The body is not kept: only bodies whose signature held are.',
  too_large: 'The body is not kept: it is larger than 64 KiB.',
  switched_off: 'The body was not kept: keeping bodies is switched off in the settings of the source.',
  failures_only: 'The body was not kept: the source keeps those of failures only.',
  not_text: 'The body is not kept: it is no UTF-8 text.',
  counted: 'This row counts many requests; none of their bodies is kept.',
  not_kept: 'The body was not kept, or is shown to owners and admins only.',
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
          aria-label="How to show the body"
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
          The curl sends this body once more, the sluice command its action, signed anew with the secret in
          the variable <code>{SECRET_VARIABLE}</code>: signatures are not kept, and would be too old.
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
