import { type ExactText, sql } from '@modelwire/connector-sql'

/**
 * Compares strings exactly, in any character set and collation: those of new tables are exact, older ones ignore trailing
 * spaces, and many ignore case and accents.
 */
export const exactText: ExactText = {
  text: (text) => sql`cast(convert(${text} using utf8mb4) as binary)`,
  // It ignores trailing spaces in comparisons alone. Signs of patterns stand for characters, not for bytes.
  pattern: (text) => sql`(convert(${text} using utf8mb4) collate utf8mb4_bin)`
}

/** Collations that compare by code point: the first one of MariaDB, the second one of MySQL. */
export const exactCollations = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin'] as const
