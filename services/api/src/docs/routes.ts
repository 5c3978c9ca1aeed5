import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fixOf } from '@sluice/contract/problem/fixes';
import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import { type Response, Router } from 'express';
import { immutableFiles } from '../pages/immutable-files.ts';
import { PUBLIC_ROUTES } from '../public/routes.ts';
import { type Addresses, openApiDocument } from './openapi.ts';

const require = createRequire(import.meta.url);
const VIEWER = require.resolve('swagger-ui-dist/package.json');
const { version } = require(VIEWER) as { version: string };
/** The files of this version never change. */
const VIEWER_PATH = `/docs/swagger-ui-${version}`;
/** The package has other pages and builds too. */
const VIEWER_FILES: readonly string[] = ['/swagger-ui-bundle.js', '/swagger-ui.css'];

/** Serves the API description for machines and for people, and one page per problem code. */
export function docsRoutes(router: Router, addresses: Addresses): void {
  let json: string | undefined;
  // Made at the first request. Every start would take a seventh longer otherwise.
  const described = () => (json ??= JSON.stringify(openApiDocument(addresses, PUBLIC_ROUTES)));

  router.get('/openapi.json', (_request, response) => send(response, 'application/json', described()));
  router.get('/docs', (_request, response) => {
    allowDataImages(response);
    send(response, 'text/html; charset=utf-8', VIEWER_PAGE);
  });
  router.get('/docs/viewer.js', (_request, response) =>
    send(response, 'text/javascript; charset=utf-8', VIEWER_SCRIPT),
  );
  const files = Router();
  files.use((request, _response, next) => next(VIEWER_FILES.includes(request.path) ? undefined : 'router'));
  files.use(...immutableFiles(dirname(VIEWER)));
  router.use(VIEWER_PATH, files);
  router.get('/problems/:code', (request, response, next) => {
    const { code } = request.params;
    if (!Object.hasOwn(PROBLEMS, code)) return next();
    send(response, 'text/html; charset=utf-8', problemPage(code as ProblemCode));
  });
}

/** The stylesheet of Swagger UI has its icons as data URLs. The viewer needs no other exception from the policy of all pages. */
function allowDataImages(response: Response): void {
  const policy = String(response.getHeader('content-security-policy'));
  response.setHeader('content-security-policy', policy.replace("img-src 'self'", '$& data:'));
}

/**
 * "Try it out" sends to the host of the page, whatever its address, with a key that the viewer keeps in memory only.
 * It is not offered for webhooks, which are signed and sent to the ingress, and for streams, which do not end.
 */
const VIEWER_SCRIPT = `
document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches);
const description = await fetch('/openapi.json').then((response) => response.json());
const allowTryItOutFor = () => (_state, path) => path.startsWith('/api/public/') && !path.endsWith('/stream');
SwaggerUIBundle({
  spec: { ...description, servers: [{ url: location.origin }] },
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  plugins: [{ statePlugins: { spec: { wrapSelectors: { allowTryItOutFor } } } }],
});
`;

const VIEWER_PAGE = pageHtml(
  'Sluice API reference',
  `<div id="reference"></div>
<noscript>The API reference needs JavaScript. <a href="/openapi.json">openapi.json</a> has the same contents.</noscript>
<script src="${VIEWER_PATH}/swagger-ui-bundle.js"></script>
<script src="/docs/viewer.js" type="module"></script>`,
  `<link rel="stylesheet" href="${VIEWER_PATH}/swagger-ui.css">`,
);

function problemPage(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  const fix = fixOf(code);
  return pageHtml(
    `${title} (${code})`,
    `<h1>${escapeHtml(title)}</h1>
<p><code>${code}</code>, with HTTP status <code>${status}</code>.</p>
${fix === undefined ? '' : `<p>${escapeHtml(fix)}</p>\n`}<p>The field <code>detail</code> of the response explains the error of this request. Give its <code>request_id</code> when you ask for help.</p>
<p><a href="/docs">API reference</a></p>`,
  );
}

function pageHtml(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function send(response: Response, type: string, body: string): void {
  response.setHeader('cache-control', 'public, max-age=300');
  response.setHeader('content-type', type);
  response.end(body);
}
