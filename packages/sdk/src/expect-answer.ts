import { SluiceProblem } from './problem.ts';

/** The option that gave the address of a request. `url` is the whole address, `baseUrl` what stands before `/api/public`. */
export type AddressOption = 'baseUrl' | 'url';

/**
 * Returns a response if a server of Sluice may have written it. A redirect is not followed: `fetch` would make a GET of a POST, and
 * send body, signature and headers to another host.
 * @throws SluiceProblem for a redirect, and for a success that is no JSON, such as the page of a dashboard.
 */
export async function expectAnswer(
  request: Request,
  response: Response,
  option: AddressOption,
): Promise<Response> {
  const { status, headers, ok, type } = response;
  // A browser hides status and target of a redirect.
  if (type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304))
    throw new SluiceProblem({ detail: redirected(request, headers.get('location'), option) }, response);
  if (ok && !(await isReadable(response))) {
    const type = headers.get('content-type') ?? 'no content type';
    const detail = `${shown(new URL(request.url))} responded with ${status} and ${type}, not with JSON. Is ${option} the address of Sluice, without a path of the dashboard?`;
    throw new SluiceProblem({ detail }, response);
  }
  return response;
}

function redirected(request: Request, location: string | null, option: AddressOption): string {
  if (location === null || !URL.canParse(location, request.url))
    return `The server redirects to another address. Use that address as ${option}.`;
  const target = shown(new URL(location, request.url));
  const base = option === 'baseUrl' ? target.replace(/\/api\/public(\/.*)?$/, '') : target;
  return `The server redirects to ${base}: use that address as ${option}.`;
}

/** Without the query, which may have what a caller searched for. */
function shown({ origin, pathname }: URL): string {
  return origin + pathname;
}

async function isReadable(response: Response): Promise<boolean> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null || /json|event-stream/.test(type)) return true;
  const text = await response.clone().text();
  if (text === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
