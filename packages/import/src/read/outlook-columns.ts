/**
 * The columns of Outlook's export in German, French, Spanish, Italian, Portuguese and Dutch, as plain names. Spanish has one word for
 * the time and, in other programs, for the date: the date takes its own first.
 */
export const OUTLOOK_COLUMNS = {
  title: 'betreff objet asunto oggetto assunto onderwerp titel titre titulo titolo',
  starts_at:
    'beginntam beginndatum datededebut debutle debut fechadecomienzo fechadeinicio datainizio datadiinizio datadeinicio begindatum startdatum beginn comienzo inizio inicio',
  starts_time:
    'beginntum beginnzeit heurededebut debuta comienzo horadecomienzo horadeinicio orainizio oradiinizio begintijd starttijd startzeit',
  ends_at:
    'endetam enddatum datedefin finle fin fechadefinalizacion fechadefin datafine datadifine datadetermino datadeconclusao einddatum ende finalizacion fine termino',
  ends_time:
    'endetum endzeit heuredefin fina finalizacion horadefinalizacion horadefin orafine oradifine horadetermino horadeconclusao eindtijd',
  all_day:
    'ganztagigesereignis ganztagig journeeentiere todoeldia giornataintera eventodediainteiro odiainteiro diainteiro heledag gebeurtenisduurtheledag',
  location:
    'ort emplacement lieu ubicacion lugar luogo posizione ubicazione localizacao local locatie plaats',
  description: 'beschreibung descripcion descrizione descricao beschrijving',
};
