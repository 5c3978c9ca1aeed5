import { admittedDeliveryId, otherDeliveryId } from '@sluice/contract/delivery/delivery-id';
import { eventId } from '@sluice/contract/event/event-id';
import { expect } from 'chai';

describe('contract: derived ids', () => {
  const yoga = { title: 'Yoga – Anfänger', starts_at: 1_798_794_000_000, location: 'Ghent' };

  it('never change, because stored events and deliveries would be duplicated', () => {
    expect(eventId('src_1', yoga)).to.equal('evt_d4e7de7c362e2c45cc9bc3c719b9c284');
    expect(admittedDeliveryId('src_1', 1_763_762_436_123_456)).to.equal(
      'dlv_f0cee5e39a5e0730d86fc7eb8e8ed880',
    );
    expect(otherDeliveryId('req_1')).to.equal('dlv_dfe7be6cee3b99ca63628de710b914dd');
  });

  it('of events differ if source, title, instant or location differ', () => {
    const ids = [
      eventId('src_1', yoga),
      eventId('src_2', yoga),
      eventId('src_1', { ...yoga, title: 'Yoga' }),
      eventId('src_1', { ...yoga, starts_at: yoga.starts_at + 1 }),
      eventId('src_1', { ...yoga, location: '' }),
    ];
    expect(new Set(ids)).to.have.length(ids.length);
  });
});
