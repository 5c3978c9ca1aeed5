import type { TestSent } from '@sluice/dashboard-api/test-send';
import { Link } from 'react-router';
import { deliveriesPath, deliveryPath } from '../../shell/page-links.ts';
import { StatusChip } from '../../ui/chip.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { prettyJson } from '../../ui/pretty-json.ts';
import { duration } from '../../ui/time.ts';
import classes from './test-tab.module.css';

interface TestResponseProps {
  readonly sent: TestSent;
  readonly sourceId: string;
}

export function TestResponse({ sent, sourceId }: TestResponseProps) {
  const { request, answer } = sent;
  return (
    <div className={classes.form} role="status">
      <p className={classes.line}>
        <StatusChip status={answer.status} />
        <span className="dimmed">in {duration(answer.duration_ms)}</span>
        <Link {...linkOf(answer.body, sourceId)}>See it in Recent Deliveries</Link>
      </p>
      <CodeBlock title="Response" code={prettyJson(answer.body)} what="response" wrap />
      <CodeBlock title="Request headers" code={lines(request.headers)} what="request headers" wrap />
    </div>
  );
}

function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Links to the row of this request. Its page waits until the row is in the log. */
function linkOf(body: string, sourceId: string) {
  const id = /"(?:delivery_id|request_id)":\s*"((?:dlv|req)_\w+)"/.exec(body)?.[1];
  return id === undefined
    ? { to: deliveriesPath(sourceId) }
    : { to: deliveryPath(id), state: { isNew: true } };
}
