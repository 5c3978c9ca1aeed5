import { DEFAULT_STAGES, type StageKind } from '@sluice/contract/lead/pipeline';
import type { Actor } from '@sluice/contract/message/change';
import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { isSet, nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { isDuplicateKey } from '../writing/write-errors.ts';

/** A stage of an account's pipeline. */
export interface Stage {
  readonly id: string;
  readonly name: string;
  readonly kind: StageKind;
  /** Absent unless the stage is being retired. */
  readonly retiring?: Retiring;
}

export interface Retiring {
  /** The stage that gets the leads. */
  readonly into: string;
  /** Milliseconds since the Unix epoch. */
  readonly since: number;
  readonly actor: Actor;
}

export type CustomFieldType = 'string' | 'number' | 'boolean';

/** Settings of an account's leads. */
export interface LeadSettings {
  readonly account_id: string;
  /** In the order of the pipeline. */
  readonly stages: readonly Stage[];
  /** Country of phone numbers without an international prefix, such as `DE`; null: such numbers cannot be read. */
  readonly phone_region: string | null;
  /** The custom fields that leads of the account have had. */
  readonly custom_fields: readonly { readonly name: string; readonly type: CustomFieldType }[];
  /** 0 if nothing was stored yet. */
  readonly revision: number;
}

export interface LeadSettingsStore {
  /** The default settings if none are stored. */
  findSettings(accountId: string): Promise<LeadSettings>;
  /** Stores settings with the next revision. False if another change was first. */
  putSettings(settings: LeadSettings): Promise<boolean>;
  /** Settings with a stage that is being retired. */
  listRetiring(): Promise<readonly LeadSettings[]>;
}

interface SettingsDocument extends Omit<LeadSettings, 'account_id'> {
  readonly _id: string;
  readonly schema_version: 1;
  /** Set while a stage is being retired. */
  readonly retiring?: true;
}

function settingsSchema() {
  return nativeSchema<SettingsDocument>().index({ retiring: 1 }, isSet('retiring'));
}

export function createLeadSettings(connection: Connection): LeadSettingsStore {
  const collection = registerCollection(connection, 'LeadSettings', settingsSchema(), 'lead_settings');
  return {
    async findSettings(accountId) {
      const document = await collection.findOne({ _id: accountId });
      return document === null ? defaults(accountId) : fromDocument(document);
    },
    async putSettings({ account_id, revision, ...rest }) {
      const retiring = rest.stages.some((stage) => stage.retiring !== undefined);
      const next = {
        schema_version: 1 as const,
        ...rest,
        revision: revision + 1,
        ...(retiring && { retiring: true as const }),
      };
      const options = { writeConcern: ADMIN_WRITE.writeConcern, upsert: revision === 0 };
      try {
        const { matchedCount, upsertedCount } = await collection.replaceOne(
          { _id: account_id, revision },
          next,
          options,
        );
        return matchedCount + upsertedCount === 1;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async listRetiring() {
      return (await collection.find({ retiring: true }).toArray()).map(fromDocument);
    },
  };
}

function defaults(account_id: string): LeadSettings {
  return { account_id, stages: DEFAULT_STAGES, phone_region: null, custom_fields: [], revision: 0 };
}

function fromDocument({ _id, schema_version: _, retiring: __, ...rest }: SettingsDocument): LeadSettings {
  return { account_id: _id, ...rest };
}
