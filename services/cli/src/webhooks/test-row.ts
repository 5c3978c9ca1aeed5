import type { TestResult } from '@sluice/contract/subscription/webhook-again';
import type { Row } from '../output.ts';

/** The result of a test message as every command prints it. `status` is that of the message, `http_status` that of the response. */
export function testRow(
  subscription_id: string,
  { message_id, status, detail, attempt }: Pick<TestResult, 'message_id' | 'status' | 'detail' | 'attempt'>,
): Row {
  const { code = null, status: http_status = null, duration_ms = null, response = null } = attempt ?? {};
  return { message_id, subscription_id, status, code, http_status, duration_ms, detail, response };
}
