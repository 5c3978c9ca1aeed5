import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem';
import type { Response, Router } from 'express';
import { FIXES } from '../deliveries/why.ts';
import { PUBLIC_ROUTES } from '../public/routes.ts';
import { escapeHtml, pageHtml } from './html.ts';
import { type Addresses, openApiDocument } from './openapi.ts';
import { PUBLIC_FIXES } from './public-fixes.ts';
import { referencePage } from './reference-page.ts';
import { STYLE } from './style.ts';

const MAX_AGE = 'public, max-age=300';

/** The description of the API, for machines and for people. */
interface Description {
  readonly json: string;
  readonly page: string;
}

/** Serves the API description for machines and for people, and one page per problem code. */
export function docsRoutes(router: Router, addresses: Addresses): void {
  let made: Description | undefined;
  // Made at the first request. Every start would take a seventh longer otherwise.
  const described = () => (made ??= describe(addresses));

  router.get('/openapi.json', (_request, response) => send(response, 'application/json', described().json));
  router.get('/docs', (_request, response) => send(response, 'text/html; charset=utf-8', described().page));
  router.get('/docs/style.css', (_request, response) => send(response, 'text/css; charset=utf-8', STYLE));
  router.get('/problems/:code', (request, response, next) => {
    const { code } = request.params;
    if (!Object.hasOwn(PROBLEMS, code)) return next();
    send(response, 'text/html; charset=utf-8', problemPage(code as ProblemCode));
  });
}

function describe(addresses: Addresses): Description {
  const document = openApiDocument(addresses, PUBLIC_ROUTES);
  return { json: JSON.stringify(document), page: referencePage(document, addresses) };
}

function problemPage(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  const fix = FIXES[code] ?? PUBLIC_FIXES[code];
  return pageHtml(
    `${title} (${code})`,
    `<h1>${escapeHtml(title)}</h1>
<p><code>${code}</code>, with HTTP status <code>${status}</code>.</p>
${fix === undefined ? '' : `<p>${escapeHtml(fix)}</p>\n`}<p>The field <code>detail</code> of the response explains the error of this request. Give its <code>request_id</code> when you ask for help.</p>
<p><a href="/docs">API reference</a></p>`,
  );
}

function send(response: Response, type: string, body: string): void {
  response.setHeader('cache-control', MAX_AGE);
  response.setHeader('content-type', type);
  response.end(body);
}
