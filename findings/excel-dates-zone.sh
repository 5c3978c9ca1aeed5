#!/usr/bin/env bash
# A Date is written into a cell of Excel in UTC by two libraries, and in the zone of the machine by a third: hours or a day apart.
#
# Expected: a cell has no zone, so a library asks for one, or all of them agree. What one writes another reads as the same Date.
# Instead: in New York 10:00Z is a cell with 10:00 by exceljs and write-excel-file, and one with 06:00 by SheetJS. The day
#   `new Date('2027-05-01')` is 30 April, 20:00, by SheetJS. Read with the other kind of library, the Date is four hours off.
#   read-excel-file reads what SheetJS wrote in UTC a millisecond early: 09:59:59.999. With TZ=UTC all agree, but for that.
# Versions: exceljs 4.4.0, xlsx 0.18.5, write-excel-file 4.1.1, read-excel-file 9.3.17 (all newest on npm). Date: 2026-11-29.
# Hurts: exports of bookings that another program imports: right on a server in UTC and in its tests, wrong on the machine of a customer.
# In our code: no Excel files; an import reads CSV and iCalendar with a zone (packages/imports).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts exceljs@4.4.0 xlsx@0.18.5 write-excel-file@4.1.1 read-excel-file@9.3.17
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import ExcelJS from 'exceljs';
import readExcelFile from 'read-excel-file/node';
import writeExcelFile from 'write-excel-file/node';
import SheetJS from 'xlsx';

const WRITERS = {
  async exceljs(date, file) {
    const book = new ExcelJS.Workbook();
    book.addWorksheet('Sheet').getCell('A1').value = date;
    await book.xlsx.writeFile(file);
  },
  async 'write-excel-file'(date, file) {
    await writeExcelFile([[{ value: date, type: Date, format: 'yyyy-mm-dd hh:mm' }]]).toFile(file);
  },
  async SheetJS(date, file) {
    const book = SheetJS.utils.book_new();
    SheetJS.utils.book_append_sheet(book, SheetJS.utils.aoa_to_sheet([[date]]), 'Sheet');
    SheetJS.writeFile(book, file);
  },
};
const sheetOf = (book) => book.Sheets[book.SheetNames[0]];
const READERS = {
  async exceljs(file) {
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(file);
    return book.worksheets[0].getCell('A1').value;
  },
  'read-excel-file': async (file) => (await readExcelFile(file))[0].data[0][0],
  SheetJS: async (file) => sheetOf(SheetJS.readFile(file, { cellDates: true })).A1.v,
};
/** What Excel shows: a cell is a number of days since 30 December 1899. */
const shown = (file) => {
  const days = sheetOf(SheetJS.readFile(file)).A1.v;
  return new Date(Date.UTC(1899, 11, 30) + Math.round(days * 86_400) * 1000).toISOString().slice(5, 16);
};

const cells = {};
const times = {};
for (const [name, write] of Object.entries(WRITERS)) {
  await write(new Date('2027-05-01'), 'day.xlsx');
  await write(new Date('2027-05-01T10:00:00Z'), 'time.xlsx');
  cells[name] = { '2027-05-01': shown('day.xlsx'), '10:00Z': shown('time.xlsx') };
  times[name] = {};
  for (const [reader, read] of Object.entries(READERS)) times[name][reader] = (await read('time.xlsx')).toISOString().slice(11, -1);
}
console.log(process.env.TZ, 'cells:');
console.table(cells);
console.log('10:00Z, written by a row and read by a column:');
console.table(times);
const local = process.env.TZ === 'UTC' ? ['05-01T00:00', '05-01T10:00'] : ['04-30T20:00', '05-01T06:00'];
const utc = ['05-01T00:00', '05-01T10:00'];
assert.deepEqual(Object.values(cells).map(Object.values), [utc, utc, local]);
const [early, right, late, almost] = ['06:00:00.000', '10:00:00.000', '14:00:00.000', '09:59:59.999'];
const expected = process.env.TZ === 'UTC'
  ? [[right, right, right], [right, right, right], [right, almost, right]]
  : [[right, right, late], [right, right, late], [early, early, right]];
assert.deepEqual(Object.values(times).map(Object.values), expected);
EOF
TZ=America/New_York node look.mjs
TZ=UTC node look.mjs
