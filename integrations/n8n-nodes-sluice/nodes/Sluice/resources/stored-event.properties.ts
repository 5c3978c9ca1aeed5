import type { INodeProperties } from 'n8n-workflow';
import { returned } from './returned';
import { showFor } from './show';

/** Another resource than Event, because it needs the credential Sluice API: Event has that of a source. */
export const storedEventProperties: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['storedEvent'] } },
		options: [
			{ name: 'Get', value: 'get', action: 'Get an event', description: 'Get an event by its ID' },
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many events',
				description: 'Get events, the earliest start first',
			},
		],
		default: 'getAll',
	},
	{
		displayName: 'Event ID',
		name: 'eventId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'evt_…',
		displayOptions: showFor('storedEvent', ['get']),
	},
	...returned('storedEvent', ['getAll']),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: showFor('storedEvent', ['getAll']),
		options: [
			{
				displayName: 'Source Name or ID',
				name: 'source',
				type: 'options',
				typeOptions: { loadOptionsMethod: 'getSources' },
				default: '',
				description:
					'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			},
			{
				displayName: 'Starts Before',
				name: 'starts_until',
				type: 'dateTime',
				default: '',
				description: 'Without an offset, the time is in UTC',
			},
			{
				displayName: 'Starts From',
				name: 'starts_from',
				type: 'dateTime',
				default: '',
				description: 'This time is included. Without an offset, the time is in UTC.',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: [
					{ name: 'Cancelled', value: 'cancelled' },
					{ name: 'Upcoming', value: 'upcoming' },
				],
				default: 'upcoming',
			},
		],
	},
];
