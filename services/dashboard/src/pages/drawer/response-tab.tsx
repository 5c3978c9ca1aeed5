import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import { CodeBlock } from '../../ui/code-block.tsx';
import { prettyJson } from '../../ui/pretty-json.ts';

export function ResponseTab({ detail }: { readonly detail: DeliveryDetail }) {
  const { status, content_type: type, body } = detail.answer;
  return <CodeBlock title={`${status} · ${type}`} code={prettyJson(body)} what="response" wrap />;
}
