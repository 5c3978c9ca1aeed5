import { expect } from 'chai';
import type { TestSource } from '../../support/ingress.ts';
import type { Pipeline } from '../../support/pipeline.ts';
import { until } from '../../support/until.ts';
import type { Try } from './load.ts';
import { judge, type Verdict } from './verdict.ts';

/** A killed worker's groups wait for their locks, and a backlog for its turn. */
const DRAINED_WITHIN_MS = 180_000;

export const WHOLE = 'lost 0, doubled 0, out of order 0, wrong events 0';

/** Resolves once nothing waits for a worker and nothing is held by one. */
export async function drained(pipeline: Pipeline): Promise<void> {
  await until(async () => (await pipeline.queued()).waiting === 0, {
    what: 'nothing waits in the queues any more',
    withinMs: DRAINED_WITHIN_MS,
  });
}

/** Waits until all is applied, and judges it by what MongoDB holds then. */
export async function verdictOn(
  pipeline: Pipeline,
  source: TestSource,
  tries: readonly Try[],
): Promise<Verdict> {
  await drained(pipeline);
  return judge(await pipeline.deliveries(source), await pipeline.events(source), tries);
}

export function expectWhole(verdict: Verdict): void {
  expectFaultless(verdict);
  expect(verdict.accepted, 'most of a load that nothing was accepted of proves nothing').to.be.above(50);
}

/** The same of a load of which little may have been accepted. */
export function expectFaultless({ lost, doubled, outOfOrder, wrongEvents }: Verdict): void {
  expect({ lost, doubled, outOfOrder, wrongEvents }).to.deep.equal({
    lost: 0,
    doubled: 0,
    outOfOrder: 0,
    wrongEvents: 0,
  });
}

/** What is not accepted is for the sender to retry: whatever was answered is a 200 or a 503. */
export function expectOnlyRefusals(tries: readonly Try[]): void {
  const others = tries
    .flatMap(({ answer }) => answer ?? [])
    .filter(({ status }) => ![200, 503].includes(status));
  expect(others, 'answers that are neither 200 nor 503').to.deep.equal([]);
}

/** The same for the report. */
export function inWords(verdict: Verdict): string {
  const { requests, accepted, refused, unanswered, applied, lost, doubled, outOfOrder, wrongEvents } =
    verdict;
  return (
    `${requests} requests, ${accepted} answered 200, ${refused} refused, ${unanswered} unanswered, ${applied} applied; ` +
    `lost ${lost}, doubled ${doubled}, out of order ${outOfOrder}, wrong events ${wrongEvents}`
  );
}
