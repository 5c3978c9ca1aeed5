/**
 * Reads a response that is not 2xx. `text` is its body, which may come from a proxy. `error` has the sentence of the API as
 * its message, with the code and the status. `waitSeconds` is the pause that the API asks for.
 */
function readRejection(status, text, retryAfter) {
  const problem = parse(text);
  const fields = (problem.errors ?? []).map(({ field, detail }) => `${field}: ${detail}`);
  const message = problem.message ?? sentenceOf(status);
  const error = new Error([message, ...fields.filter((one) => !message.includes(one))].join(' '));
  Object.assign(error, {
    code: problem.code ?? `http_${status}`,
    status,
    isTemporary: status === 429 || status >= 500,
  });
  const seconds = Number(retryAfter ?? Number.NaN);
  // 409 has a pause while an earlier request with the same Idempotency-Key is in progress.
  const waits = [409, 429, 503].includes(status) && Number.isFinite(seconds);
  return { error, waitSeconds: waits ? Math.max(1, Math.ceil(seconds)) : undefined };
}

function sentenceOf(status) {
  if (status >= 300 && status < 400)
    return 'The base URL redirects to another address. Enter the address of your Sluice dashboard.';
  return `Sluice responded with the status ${status}.`;
}

function parse(text) {
  try {
    const parsed = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

module.exports = { readRejection };
