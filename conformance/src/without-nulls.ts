import { matches, type SeenAnswer } from './compare-answers.ts'
import type { RecordedAnswer } from './scenario.ts'
import { isObject } from './is-object.ts'

/**
 * `actual` without the members that are null there and absent in `expected`: columns have null for what is absent.
 * A member that was recorded as null has to be null.
 */
export function withoutNulls(expected: unknown, actual: unknown): unknown {
  if (isObject(expected) && Array.isArray(expected['$unordered']) && Array.isArray(actual))
    return matchUnordered(expected['$unordered'], actual)
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((item: unknown, index) => withoutNulls(expected[index], item))
  if (!isObject(expected) || !isObject(actual)) return actual
  const kept = Object.entries(actual).filter(([name, value]) => value !== null || Object.hasOwn(expected, name))
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutNulls(expected[name], value)]))
}

/** For a list that was recorded in any order: each item next to the one that it is. */
function matchUnordered(expected: readonly unknown[], actual: readonly unknown[]): readonly unknown[] {
  return actual.map((item) => {
    const same = expected.find((other) => matches(other, withoutNulls(other, item)))
    return same === undefined ? item : withoutNulls(same, item)
  })
}

/** XML without the elements that say null or undefined. */
const withoutEmpty = (text: string): string => text.replaceAll(/\s*<(\w+)>(?:null|undefined)<\/\1>/g, '')

/** A recorded and a seen answer, once null and absent are taken for the same in the seen one. */
export function takeNullForAbsent(expected: RecordedAnswer, seen: SeenAnswer): [RecordedAnswer, SeenAnswer] {
  const { text } = expected
  return [
    text === undefined ? expected : { ...expected, text: withoutEmpty(text) },
    {
      ...seen,
      ...('json' in seen && { json: withoutNulls(expected.json, seen.json) }),
      ...(seen.events !== undefined && {
        events: seen.events.map((event, at) => withoutNulls(expected.events?.[at], event))
      }),
      text: seen.text === undefined ? undefined : withoutEmpty(seen.text)
    }
  ]
}
