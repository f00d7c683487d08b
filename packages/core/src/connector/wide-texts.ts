import type { DatabaseFact } from '../contract/connector.ts'

const meaning =
  'Ids, keys and access rules are still compared exactly; conditions of callers and unique values are compared by the database.'

interface WideProperty {
  readonly property?: string
  readonly isCertain?: boolean
}

/** Texts of warnings about collations that treat different strings as equal. */
export const wideTexts = {
  /**
   * The warning at startup.
   * @param places names of tables or collections
   */
  warning: (database: string, places: Iterable<string>): string =>
    `${database}: the collations of ${[...places].join(', ')} treat different strings as equal. ${meaning}`,
  /** @param place the column or collection, with its collation @param isCertain false where the database does not say which one it has */
  fact: (model: string, place: string, { property, isCertain = true }: WideProperty = {}): DatabaseFact => ({
    model,
    ...(property !== undefined && { property }),
    effect: 'differs',
    reason: `${place} ${isCertain ? 'treats' : 'may treat'} different strings as equal. ${meaning}`,
    advice: 'use a collation that compares by code point, as new tables do, if strings must be distinguished'
  })
}
