import { BlockList } from 'node:net';
import { createAddressPolicy } from '@sluice/egress/address-policy';
import { expect } from 'chai';
import fc from 'fast-check';
import { sized } from '../support/size.ts';

/** The special-purpose registries of IANA, and the ranges for AS112 and AMT, whose nearest server may be inside. */
const SPECIAL_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
  ],
  ...['192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Services of Azure and IBM Cloud, for machines there.
  ...['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'],
];
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];
const PRIVATE_V4 = ['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];

describe('api: addresses that a feed may be fetched from', () => {
  const publicOnly = createAddressPolicy({ allowPrivate: false });
  const withPrivate = createAddressPolicy({ allowPrivate: true });

  it('are all of IPv4 but the special-purpose ranges, to their first and last address', () => {
    const special = blockList('ipv4', SPECIAL_V4);
    const ownNetworks = blockList('ipv4', PRIVATE_V4);
    const near = SPECIAL_V4.flatMap((subnet) => edgesOf(subnet));
    fc.assert(
      fc.property(fc.oneof(fc.nat(0xffffffff), fc.constantFrom(...near)), (number) => {
        const address = dotted(number);
        expect(publicOnly(address), address).to.equal(!special.check(address, 'ipv4'));
        const allowed = !special.check(address, 'ipv4') || ownNetworks.check(address, 'ipv4');
        expect(withPrivate(address), `${address}, private ones too`).to.equal(allowed);
      }),
      { numRuns: sized({ short: 500, middle: 5_000 }), examples: near.map((number) => [number] as [number]) },
    );
  });

  it('are the assigned IPv6 addresses but the special-purpose ranges', () => {
    const assigned = blockList('ipv6', ['2000::/3']);
    const special = blockList('ipv6', SPECIAL_V6);
    // Half of them begin like a special range.
    const first = fc.oneof(
      fc.nat(0xffff),
      fc.constantFrom(0x2001, 0x2002, 0x2620, 0x3ffe, 0x3fff, 0x4000, 0),
    );
    const second = fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0x1ff, 0x200, 0xdb8, 0x4f, 0xfff, 0x1000));
    const rest = fc.array(fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0x8000, 0xffff)), {
      minLength: 6,
      maxLength: 6,
    });
    fc.assert(
      fc.property(first, second, rest, (...groups) => {
        const address = groups
          .flat()
          .map((group) => group.toString(16))
          .join(':');
        const allowed = assigned.check(address, 'ipv6') && !special.check(address, 'ipv6');
        expect(publicOnly(address), address).to.equal(allowed);
      }),
      { numRuns: sized({ short: 2_000, middle: 20_000 }) },
    );
  });

  it('never serve the credentials of a machine, though they look like a private network', () => {
    for (const address of [
      'fd00:ec2::254',
      'fd20:ce::254',
      'fd00:c1::a9fe:a9fe',
      'fd00:42::42',
      '169.254.169.254',
      'fe80::1%eth0',
    ])
      expect(withPrivate(address), address).to.equal(false);
    for (const address of ['fd00:ec1::1', 'fd00:ec3::1', 'fd20:cd::1', 'fdff::1', '::1'])
      expect(withPrivate(address), address).to.equal(true);
  });

  it('are also what an operator lists by name or network, and never those of links, clouds and groups', () => {
    const allow = ['n8n', '*.internal.example', '100.64.0.0/10', 'fd00::/8', '10.2.0.7'];
    const listed = createAddressPolicy({ allowPrivate: false, allow });
    for (const [address, host] of [
      ...[
        ['10.9.9.9', 'n8n'],
        ['10.9.9.9', 'N8N.'],
        ['::1', 'a.b.internal.example'],
        ['fd12::1', 'any.test'],
      ],
      ...[
        ['100.101.1.1', 'node.tail.ts.net'],
        ['10.2.0.7', '10.2.0.7'],
        ['8.8.8.8', 'dns.google'],
      ],
    ] as const)
      expect(listed(address, host), `${host} at ${address}`).to.equal(true);
    for (const [address, host] of [
      ...[
        ['10.9.9.9', 'n8n.example'],
        ['10.9.9.9', 'internal.example'],
        ['10.2.0.8', 'any.test'],
      ],
      ...[
        ['169.254.169.254', 'n8n'],
        ['fe80::1', 'n8n'],
        ['100.100.100.200', 'n8n'],
        ['fd00:ec2::254', 'n8n'],
      ],
      ...[
        ['0.0.0.0', 'n8n'],
        ['224.0.0.1', 'n8n'],
        ['255.255.255.255', 'n8n'],
        ['::ffff:10.9.9.9', 'n8n'],
      ],
    ] as const)
      expect(listed(address, host), `${host} at ${address}`).to.equal(false);
  });

  it('are written as Node resolves them: octal, hexadecimal and short forms are none', () => {
    for (const text of ['010.1.1.1', '0x8.8.8.8', '8.8', '134744072', '', '8.8.8.8 ', '2600::1/64', 'x::1'])
      expect(withPrivate(text), text).to.equal(false);
  });
});

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** The first and the last address of a subnet, and their neighbours outside of it. */
function edgesOf(subnet: string): number[] {
  const [address = '', bits] = subnet.split('/');
  const first = address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
  const last = first + 2 ** (32 - Number(bits)) - 1;
  return [first - 1, first, last, last + 1].filter((number) => number >= 0 && number <= 0xffffffff);
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}
