import type { Notation } from '@modelwire/connector-sql'

/** How SQLite writes names and parameters. */
export const sqliteNotation: Notation = {
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  placeholder: () => '?'
}
