import type { INodeProperties } from 'n8n-workflow';
import { returned } from './returned';
import { showFor } from './show';

const stage: INodeProperties = {
	displayName: 'Stage Name or ID',
	name: 'stage',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getStages' },
	default: '',
	description:
		'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

export const leadProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['lead'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create a lead',
				description: 'Create a new lead',
			},
			{
				name: 'Create or Update',
				value: 'upsert',
				action: 'Create or update a lead',
				description: 'Create a new record, or update the current one if it already exists (upsert)',
			},
			{ name: 'Get', value: 'get', action: 'Get a lead', description: 'Get a lead by its ID' },
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Find leads',
				description: 'Find leads by words, email, phone, external ID, stage or tag',
			},
			{
				name: 'Move to Stage',
				value: 'move',
				action: 'Move a lead to a stage',
				description: 'Move a lead to another pipeline stage',
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update a lead',
				description: 'Change fields of a lead',
			},
		],
		default: 'create',
	},
	{
		displayName: 'Lead ID',
		name: 'leadId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'lead_…',
		displayOptions: showFor('lead', ['get', 'update', 'move']),
	},
	{
		displayName: 'Match On',
		name: 'matchOn',
		type: 'multiOptions',
		options: [
			{ name: 'Email', value: 'email' },
			{ name: 'External ID', value: 'external_id' },
			{ name: 'Phone', value: 'phone' },
		],
		default: ['email'],
		required: true,
		displayOptions: showFor('lead', ['upsert']),
		description: 'The fields by which an existing lead is found. The first match wins.',
	},
	{
		...stage,
		name: 'toStage',
		required: true,
		displayOptions: showFor('lead', ['move']),
		description:
			'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	{
		displayName: 'Note',
		name: 'moveNote',
		type: 'string',
		default: '',
		displayOptions: showFor('lead', ['move']),
		description: 'Is kept with the move, in the history of the lead',
	},
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		displayOptions: showFor('lead', ['create', 'upsert', 'update']),
		description:
			'A lead needs a name, an email, a phone or an external ID. A field without a value is not changed.',
		options: [
			{ displayName: 'Company', name: 'company', type: 'string', default: '' },
			{
				displayName: 'Custom Fields',
				name: 'custom',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Custom Field',
				default: {},
				options: [
					{
						displayName: 'Field',
						name: 'field',
						values: [
							{
								displayName: 'Field Name or ID',
								name: 'key',
								type: 'options',
								typeOptions: { loadOptionsMethod: 'getCustomFields' },
								default: '',
								description:
									'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
							},
							{
								displayName: 'Value',
								name: 'value',
								type: 'string',
								default: '',
								description: 'Numbers and true or false are converted to the type of the field',
							},
						],
					},
				],
			},
			{
				displayName: 'Email',
				name: 'email',
				type: 'string',
				placeholder: 'name@email.com',
				default: '',
			},
			{
				displayName: 'External ID',
				name: 'external_id',
				type: 'string',
				default: '',
				description: 'The ID of the lead in your own system',
			},
			{ displayName: 'Name', name: 'name', type: 'string', default: '' },
			{
				displayName: 'Note',
				name: 'note',
				type: 'string',
				typeOptions: { rows: 4 },
				default: '',
			},
			{ displayName: 'Phone', name: 'phone', type: 'string', default: '' },
			stage,
			{
				displayName: 'Tags',
				name: 'tags',
				type: 'string',
				default: '',
				placeholder: 'fair, newsletter',
				description: 'With commas between them',
			},
		],
	},
	{
		displayName: 'Clear Field Names or IDs',
		name: 'clear',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getClearableFields' },
		default: [],
		displayOptions: showFor('lead', ['update']),
		description:
			'Removes the values of these fields, unless Fields has new ones. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	...returned('lead', ['getAll']),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: showFor('lead', ['getAll']),
		options: [
			{
				displayName: 'Email',
				name: 'email',
				type: 'string',
				placeholder: 'name@email.com',
				default: '',
				description: 'Finds none if it is empty',
			},
			{
				displayName: 'External ID',
				name: 'external_id',
				type: 'string',
				default: '',
				description: 'Finds none if it is empty',
			},
			{
				displayName: 'Phone',
				name: 'phone',
				type: 'string',
				default: '',
				description: 'Finds none if it is empty',
			},
			{
				displayName: 'Search',
				name: 'q',
				type: 'string',
				default: '',
				description:
					'Beginnings of words in name, company and email, or the first digits of the phone number',
			},
			stage,
			{ displayName: 'Tag', name: 'tag', type: 'string', default: '' },
			{
				displayName: 'Updated Since',
				name: 'updated_since',
				type: 'dateTime',
				default: '',
				description:
					'Only leads that changed at or after this time. Without an offset, the time is in UTC.',
			},
		],
	},
];
