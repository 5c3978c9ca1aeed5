import * as z from 'zod';
import { inGroup } from '../variable-info.ts';
import { httpUrl, label, mailFrom, port, smtpUrl, trustProxy } from '../variable-types.ts';

const info = inGroup('Addresses');

/** The addresses that processes listen on, and those under which others reach them. */
export const addressVariables = {
  HOST: z
    .string()
    .prefault('127.0.0.1')
    .meta(info('Address that services listen on, with their admin ports; the container image sets 0.0.0.0.')),
  INGRESS_PORT: port().prefault('8080').meta(info('Port of the webhook endpoint.')),
  API_PORT: port().prefault('8081').meta(info('Port of the public API and the dashboard.')),
  INGRESS_ADMIN_PORT: port()
    .prefault('9080')
    .meta(info('Port of /livez, /readyz and /metrics of the ingress.')),
  API_ADMIN_PORT: port().prefault('9081').meta(info('Port of /livez, /readyz and /metrics of the API.')),
  WORKER_ADMIN_PORT: port()
    .prefault('9082')
    .meta(info('Port of /livez, /readyz and /metrics of the worker.')),
  DISPATCHER_ADMIN_PORT: port()
    .prefault('9083')
    .meta(info('Port of /livez, /readyz and /metrics of the dispatcher.')),
  EVENTS_URL: httpUrl().meta(
    info(
      'Public base address of the webhook endpoints. Default: http://localhost:INGRESS_PORT.',
      'https://events.example.com',
    ),
  ),
  API_URL: httpUrl().meta(
    info(
      'Public base address of the API and the dashboard. Default: http://localhost:API_PORT.',
      'https://sluice.example.com',
    ),
  ),
  INGRESS_URL: httpUrl().meta(
    info(
      "Where the API reaches the ingress, for the dashboard's test requests. Default: EVENTS_URL.",
      'http://ingress:8080',
    ),
  ),
  ENVIRONMENT_NAME: label().meta(
    info('What the dashboard calls this installation, beside its name; not set: nothing.', 'staging'),
  ),
  TRUST_PROXY: trustProxy()
    .prefault('false')
    .meta(
      info(
        'Which proxies to believe about the address of a sender: a number of hops, addresses, false, or true (any client can then claim any address).',
      ),
    ),
} as const;

const mailInfo = inGroup('Mail');

/** The mail server of the API. */
export const mailVariables = {
  SMTP_URL: smtpUrl().meta(
    mailInfo(
      'Mail server, for links that set a new password and notices of changed sign-in: smtps://, or smtp:// with STARTTLS. Not set: nothing is mailed.',
      'smtps://user:password@mail.example.com',
    ),
  ),
  MAIL_FROM: mailFrom().meta(
    mailInfo(
      'Sender of these mails. Default: sluice@ and the host of API_URL.',
      'Sluice <sluice@example.com>',
    ),
  ),
} as const;
