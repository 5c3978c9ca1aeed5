// Exit code 0 when work can flow: node deploy/healthcheck.mjs ingress|worker|api …
// Asks /readyz on the admin port of the first of the named services that listens here; images need no curl for it.
const TIMEOUT_MS = 2000;

for (const service of process.argv.slice(2)) {
  const variable = `${service.toUpperCase()}_ADMIN_PORT`;
  const url = `http://127.0.0.1:${process.env[variable]}/readyz?verbose`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    process.stdout.write(`${service}: ${await answer.text()}\n`);
    process.exit(answer.ok ? 0 : 1);
  } catch (error) {
    process.stdout.write(
      `${service} (${variable}) does not answer: ${error.cause?.message ?? error.message}\n`,
    );
  }
}
process.exit(1);
