import { readCellTime } from '@sluice/import/read/cell-times';
import { expect } from 'chai';
import { csv } from './support.ts';

describe('importing: files of other countries', () => {
  for (const [text, instant] of [
    ['30 mai 2027 18:00', '2027-05-30T18:00:00Z'],
    ['3 juin 2027 18h30', '2027-06-03T18:30:00Z'],
    ['4 juil. 2027 18:00', '2027-07-04T18:00:00Z'],
    ['5 févr. 2027 18:00', '2027-02-05T18:00:00Z'],
    ['1er août 2027 à 18:00', '2027-08-01T18:00:00Z'],
    ['Donnerstag, 7. März 2027 um 18:00 Uhr', '2027-03-07T18:00:00Z'],
    ['So., 10. Dez. 2027', '2027-12-10T00:00:00Z'],
    ['11 de enero de 2027 18:00', '2027-01-11T18:00:00Z'],
    ['12 mei 2027 18:00', '2027-05-12T18:00:00Z'],
    ['12 mrt 2027 18:00', '2027-03-12T18:00:00Z'],
    ['13 gennaio 2027 18:00', '2027-01-13T18:00:00Z'],
    ['sábado, 2 de outubro de 2027 às 18:00', '2027-10-02T18:00:00Z'],
    ['2027年5月30日 18:00', '2027-05-30T18:00:00Z'],
    ['2027년 5월 30일 18:00', '2027-05-30T18:00:00Z'],
    ['24.07.2027 19:0:00', '2027-07-24T19:00:00Z'],
    ['24.07.2027 9:5', '2027-07-24T09:05:00Z'],
    ['3 marraskuuta 2027', undefined],
    ['3 lipca 2027', undefined],
  ] as const)
    it(`reads ${text} as ${instant ?? 'no date'}`, () => {
      const read = readCellTime(text, '', { zone: 'UTC' });
      expect(read.outcome === 'time' ? read.text : undefined).to.equal(instant);
    });

  for (const [language, head, timed, wholeDay] of [
    [
      'German',
      'Betreff,Beginnt am,Beginnt um,Endet am,Endet um,Ganztägiges Ereignis,Beschreibung,Ort',
      'Chor,3.5.2027,19:00:00,3.5.2027,21:00:00,Aus,Lied,Halle',
      'Fest,5.6.2027,00:00:00,6.6.2027,00:00:00,Ein,,Wiese',
    ],
    [
      'French',
      'Objet,Début,Heure de début,Fin,Heure de fin,Journée entière,Description,Emplacement',
      'Chor,3/5/2027,19:00:00,3/5/2027,21:00:00,Faux,Lied,Halle',
      'Fest,05/06/2027,00:00:00,25/6/2027,00:00:00,Vrai,,Pré',
    ],
    [
      'Spanish',
      'Asunto,Fecha de comienzo,Comienzo,Fecha de finalización,Finalización,Todo el día,Descripción,Ubicación',
      'Chor,3/5/2027,19:00:00,3/5/2027,21:00:00,Falso,Lied,Halle',
      'Fest,05/06/2027,00:00:00,25/6/2027,00:00:00,Verdadero,,Prado',
    ],
    [
      'Dutch',
      'Onderwerp,Begindatum,Begintijd,Einddatum,Eindtijd,"Gebeurtenis, duurt hele dag",Beschrijving,Locatie',
      'Chor,3-5-2027,19:00:00,3-5-2027,21:00:00,Onwaar,Lied,Halle',
      'Fest,5-6-2027,00:00:00,25-6-2027,00:00:00,Waar,,Wei',
    ],
  ] as const)
    it(`recognizes the columns of Outlook's export in ${language}`, async () => {
      const [first, second] = await csv(head, timed, wholeDay)('Europe/Berlin');
      expect(first?.event).to.include({
        ...{ title: 'Chor', starts_at: '2027-05-03T17:00:00Z', ends_at: '2027-05-03T19:00:00Z' },
        ...{ location: 'Halle', description: 'Lied' },
      });
      expect(second?.event).to.include({ title: 'Fest', starts_at: '2027-06-04T22:00:00Z' });
    });

  it('says why a date is bad whose day and month cannot be told apart', async () => {
    const [row] = await csv('title,starts_at', 'A,06/05/2027 18:00')();
    expect(row?.notes.join()).to.match(/06\/05\/2027 18:00" does not tell day and month apart/);
  });
});
