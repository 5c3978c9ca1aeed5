// node deploy/healthcheck.mjs ingress|worker|dispatcher|api …: exits with 0 when the service is ready.
// It requests /readyz on the admin port of the first named service that listens here, so the image needs no curl.
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
