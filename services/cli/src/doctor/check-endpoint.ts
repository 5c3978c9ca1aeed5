import { PROBED_SOURCE, WEBHOOK_PATH } from '@sluice/contract/delivery/webhook-path';
import { type Answer, rejectionIn } from './ask.ts';
import { judgeClock } from './clock.ts';
import { type Finding, ok, problem, skipped } from './finding.ts';

type Ask = (url: URL) => Promise<Answer>;

/** The base URL of the ingress, as the API describes it in openapi.json; undefined if it does not. */
export async function findEventsUrl(apiUrl: URL, ask: Ask): Promise<URL | undefined> {
  const asked = await ask(new URL('openapi.json', apiUrl));
  if (asked.outcome === 'none') return undefined;
  const { paths = {} } = (asked.answer.body ?? {}) as {
    paths?: Record<string, { servers?: { url?: string }[] }>;
  };
  const url = Object.entries(paths).find(([path]) => path.startsWith(WEBHOOK_PATH))?.[1].servers?.[0]?.url;
  return url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
}

/** Checks that the ingress can be reached. A GET has no effect there. */
export async function checkEndpoint(eventsUrl: URL | undefined, ask: Ask): Promise<readonly Finding[]> {
  if (eventsUrl === undefined)
    return [skipped('webhook endpoint', 'its URL is unknown', 'Pass --events-url https://….')];
  const asked = await ask(new URL(`${WEBHOOK_PATH.slice(1)}${PROBED_SOURCE}`, withSlash(eventsUrl)));
  const fix =
    'Check EVENTS_URL and INGRESS_URL of the services, the proxy before the ingress, and whether the ingress is running.';
  if (asked.outcome === 'none')
    return [problem('webhook endpoint', `${eventsUrl.origin}: ${asked.why}`, fix)];
  const { answer } = asked;
  const rejection = rejectionIn(answer);
  if (rejection === undefined)
    return [
      problem(
        'webhook endpoint',
        `${eventsUrl.origin} responded ${answer.status}, and not as Sluice does`,
        fix,
      ),
    ];
  if (answer.status >= 500)
    return [
      problem(
        'webhook endpoint',
        `${eventsUrl.origin} responded ${answer.status}: ${rejection}`,
        'It can be reached, and cannot store or look up now. See Redis, MongoDB and the processes below, or ask its operator.',
      ),
    ];
  const clock =
    answer.clockAheadMs === undefined ? undefined : judgeClock(eventsUrl.origin, answer.clockAheadMs);
  return [
    ok('webhook endpoint', `${eventsUrl.origin} responded within ${answer.took_ms} ms`),
    ...(clock?.result === 'problem' ? [clock] : []),
  ];
}

function withSlash(url: URL): URL {
  const copy = new URL(url);
  if (!copy.pathname.endsWith('/')) copy.pathname += '/';
  return copy;
}
