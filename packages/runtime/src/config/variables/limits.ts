import { inGroup } from '../variable-info.ts';
import { allowedHosts, httpUrl, plans, whole, yesOrNo } from '../variable-types.ts';

const info = inGroup('Limits');

/** The limits of sources, API keys, plans and the backlog. */
export const limitVariables = {
  RATE_LIMIT_PER_SECOND: whole(1, 1_000_000)
    .prefault('100')
    .meta(info('Requests a second that one source may send.')),
  RATE_LIMIT_BURST: whole(1, 10_000_000)
    .prefault('1000')
    .meta(info('Requests that one source may send at once.')),
  BAD_SIGNATURES_PER_MINUTE: whole(1, 1_000_000)
    .prefault('300')
    .meta(info('Wrong signatures a minute after which a client address gets 429 for further ones.')),
  KEY_RATE_PER_MINUTE: whole(1, 1_000_000)
    .prefault('600')
    .meta(info('Requests a minute that one API key may make.')),
  KEY_RATE_BURST: whole(1, 1_000_000)
    .prefault('100')
    .meta(info('Requests that one API key may make at once.')),
  SUBSCRIPTION_LIMIT: whole(1, 10_000)
    .prefault('20')
    .meta(info('Webhook subscriptions that one account may have.')),
  PLANS: plans()
    .prefault('free:1000,pro:100000,unlimited')
    .meta(info('Plans and the upserts a calendar month that each allows.')),
  BACKLOG_LIMIT: whole(1, 10_000_000)
    .prefault('20000')
    .meta(info('Waiting groups after which the ingress answers 503, and imports stop.')),
  PACK_FROM_GROUPS: whole(0, 10_000_000)
    .prefault('500')
    .meta(info('Waiting groups from which the ingress compresses further ones. 0: never.')),
  REDIS_MEMORY_LIMIT_PERCENT: whole(1, 100)
    .prefault('70')
    .meta(info("Share of Redis's maxmemory after which the ingress answers 503.")),
  FEED_PRIVATE_NETWORKS: yesOrNo()
    .prefault('false')
    .meta(
      info(
        'true lets admins import calendar feeds from private networks and this machine, and so find out what is there.',
      ),
    ),
  FEED_ALLOW: allowedHosts()
    .prefault('')
    .meta(
      info(
        'Hosts, addresses and networks from which feeds may come though they are private, separated by commas.',
        'calendar.internal.example,10.2.0.0/16',
      ),
    ),
  OUTBOUND_PRIVATE_NETWORKS: yesOrNo()
    .prefault('false')
    .meta(
      info('true allows subscriptions and reply URLs with http, in private networks and on this machine.'),
    ),
  OUTBOUND_ALLOW: allowedHosts()
    .prefault('')
    .meta(
      info(
        'Hosts, addresses and networks that messages and replies may go to though they are private, also with http, separated by commas.',
        'n8n,*.internal.example,10.2.0.0/16',
      ),
    ),
  OUTBOUND_PROXY: httpUrl().meta(
    info(
      'Proxy for all outbound messages. It resolves the names, so it has to keep private networks out. Not set: none.',
      'http://proxy:3128',
    ),
  ),
} as const;
