/** A CSV file to fill in: the fields of an event, and a row that shows how each is written. */
export const CSV_TEMPLATE = [
  'title,starts_at,ends_at,location,description,url,price,recurring,status',
  'Open evening,2027-03-01 18:00,2027-03-01 20:00,"Town hall, Berlin",A look behind the scenes,https://www.example.org/open-evening,5 EUR,,upcoming',
  '',
].join('\r\n');
