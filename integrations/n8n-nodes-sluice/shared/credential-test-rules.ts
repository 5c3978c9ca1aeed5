import type { IAuthenticateRuleResponseCode, IAuthenticateRuleResponseSuccessBody } from 'n8n-workflow';

/**
 * A rule that fails the test of a credential if the response lacks a field. n8n fails the test if the field has the value of the
 * rule. It reads a field that is absent, or a body that is no JSON, as undefined.
 */
export function lacks(field: string, message: string): IAuthenticateRuleResponseSuccessBody {
	return {
		type: 'responseSuccessBody',
		properties: { key: field, value: undefined, message },
	};
}

/** A rule with the sentence for a status. Without it n8n shows only the text of the status. */
export function respondsWith(status: number, message: string): IAuthenticateRuleResponseCode {
	return { type: 'responseCode', properties: { value: status, message } };
}

/** Rules with a sentence for each redirect. */
export function redirects(message: string): IAuthenticateRuleResponseCode[] {
	return [301, 302, 303, 307, 308].map((status) => respondsWith(status, message));
}
