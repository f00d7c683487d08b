import type { Notation } from '@modelwire/connector-sql'

/** How PostgreSQL writes names and parameters. */
export const postgresqlNotation: Notation = {
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: (place) => `$${place}`
}
