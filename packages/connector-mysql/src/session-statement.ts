import { type ServerSettings, writeStatement, type Statement, sql } from '@modelwire/connector-sql'
import type { TimeZone } from './mysql-zone.ts'
import { quoteName } from './quote-name.ts'

/**
 * The first statement of each connection: the zone of its times, that values which do not fit are an error wherever the
 * server would cut them, and the settings of the data source. It is one statement, since each costs a round trip.
 */
export function sessionStatement({ session: zone }: TimeZone, settings: ServerSettings['session'] = {}): Statement {
  const strict = sql`sql_mode = concat(@@sql_mode, ',STRICT_ALL_TABLES')`
  const own = Object.entries(settings).map(([name, value]) => sql`session ${sql.id(name)} = ${value}`)
  const parts = [strict, ...(zone === undefined ? [] : [sql`time_zone = ${zone}`]), ...own]
  return writeStatement({ quote: quoteName, placeholder: () => '?' }, sql`set ${sql.join(parts)}`)
}
