import { bodyOf, type Http, keyHeader, matchHeader, signalOf } from '../http.ts';
import type { CallOptions, ChangeOptions, PostOptions } from '../options.ts';
import { type List, paginate } from '../paginate.ts';
import { pageQuery } from '../query.ts';
import type {
  FiltersOf,
  Lead,
  LeadChange,
  LeadField,
  LeadMove,
  LeadPatch,
  NewLead,
  PipelineStage,
  WrittenLead,
} from '../types.ts';

const LEADS = '/api/public/leads';
const LEAD = '/api/public/leads/{leadId}';

/** A field by which a create finds an existing lead. */
export type LeadMatch = 'email' | 'phone' | 'external_id';

/** Options of a create. */
export interface CreateLeadOptions extends PostOptions {
  /** Changes the lead that has the same value, where there is one. Of several fields, the first match wins. */
  readonly matchOn?: LeadMatch | readonly LeadMatch[];
}

/** The leads of the account. */
export function leadsOf(http: Http) {
  return {
    list(filters: FiltersOf<'listLeads'> = {}, options: CallOptions = {}): List<Lead> {
      return paginate((cursor) => {
        const query = pageQuery<'listLeads'>(filters, cursor);
        return bodyOf(http.GET(LEADS, { params: { query }, ...signalOf(options) }));
      });
    },
    get(leadId: string, options: CallOptions = {}): Promise<Lead> {
      return bodyOf(http.GET(LEAD, { params: { path: { leadId } }, ...signalOf(options) }));
    },
    create(lead: NewLead, options: CreateLeadOptions = {}): Promise<WrittenLead> {
      const { matchOn = [] } = options;
      const names = [matchOn].flat().join(',');
      const query = names === '' ? {} : { match_on: names };
      return bodyOf(
        http.POST(LEADS, { params: { query, header: keyHeader(options) }, body: lead, ...signalOf(options) }),
      );
    },
    update(leadId: string, patch: LeadPatch, options: ChangeOptions = {}): Promise<WrittenLead> {
      const params = { path: { leadId }, header: matchHeader(options) };
      return bodyOf(http.PATCH(LEAD, { params, body: patch, ...signalOf(options) }));
    },
    /** Moves a lead to another pipeline stage. */
    move(leadId: string, move: LeadMove, options: PostOptions & ChangeOptions = {}): Promise<WrittenLead> {
      const header = { ...keyHeader(options), ...matchHeader(options) };
      const params = { path: { leadId }, header };
      return bodyOf(http.POST(`${LEAD}/stage`, { params, body: move, ...signalOf(options) }));
    },
    history(
      leadId: string,
      filters: FiltersOf<'listLeadHistory'> = {},
      options: CallOptions = {},
    ): List<LeadChange> {
      return paginate((cursor) => {
        const params = { path: { leadId }, query: { ...filters, ...(cursor !== undefined && { cursor }) } };
        return bodyOf(http.GET(`${LEAD}/history`, { params, ...signalOf(options) }));
      });
    },
    /** The fields of a lead with the account's custom fields, for mappings and menus. */
    fields(options: CallOptions = {}): Promise<LeadField[]> {
      return bodyOf(http.GET(`${LEADS}/fields`, signalOf(options)));
    },
    stages(
      filters: FiltersOf<'listPipelineStages'> = {},
      options: CallOptions = {},
    ): Promise<PipelineStage[]> {
      return bodyOf(
        http.GET('/api/public/pipeline-stages', { params: { query: filters }, ...signalOf(options) }),
      );
    },
  };
}
