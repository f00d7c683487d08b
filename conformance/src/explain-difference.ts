import { findDifference, matches, type SeenAnswer } from './compare-answers.ts'
import type { Exchange, Failure } from './replay.ts'
import type { RecordedAnswer, Step } from './scenario.ts'
import { takeNullForAbsent, withoutNulls } from './without-nulls.ts'

type Request = Step['request']
type Applies = (expected: RecordedAnswer, seen: SeenAnswer, request: Request) => boolean

/** Why a database answers otherwise than memory: the causes that conformance/README.md explains, in the order of the rules. */
const rules: Readonly<Record<string, Applies>> = {
  'null for absent': (expected, seen) => findDifference(...takeNullForAbsent(expected, seen)) === undefined,
  'nothing embedded is null': (expected, seen, { path = '' }) =>
    expected.status === 204 && codeOf(seen) === 'MODEL_NOT_FOUND' && /^\/api\/\w+\/[^/?]+\/\w+$/.test(path),
  'a column must not be null': (expected, seen) => expected.status < 300 && codeOf(seen) === 'CONSTRAINT_VIOLATED',
  'a column has a length or a range': (expected, seen) => expected.status < 300 && codeOf(seen) === 'VALUE_REFUSED',
  'the length of a text': (expected, seen, { path = '' }) => areLists(expected, seen) && /\w\.length"/.test(path),
  'dates in a list': (expected, seen, { path = '' }) =>
    areLists(expected, seen) && /"(?:inq|nin)":\["\d{4}-\d\d/.test(path),
  'signs of a pattern': (expected, seen, { path = '' }) => areLists(expected, seen) && /"n?i?like":/.test(path),
  'undeclared in where': (expected, seen, { path = '' }) =>
    areLists(expected, seen) && asksUndeclared(expected, seen, path),
  'a patch of what matches': (expected, seen, { path = '' }) =>
    /\/upsertWithWhere\?/.test(path) ? patchesMatch(expected, seen) : hearsOfMatch(expected, seen),
  'place in an order': (expected, seen, { path = '' }) =>
    /[?&{"[]order["\]]/.test(path) && areSameRecords(expected, seen),
  'names of a JSON object': (expected, seen) =>
    expected.status === seen.status && expected.text !== undefined && sameParts(expected.text, seen.text ?? '')
}

/** Of a later step, once an earlier one stored something else. */
export const followsWrite = 'follows such a write'

const otherWrites: readonly (string | undefined)[] = [
  'a column must not be null',
  'a column has a length or a range',
  'a patch of what matches'
]

const codeOf = ({ json }: SeenAnswer): unknown =>
  (json as { error?: { code?: unknown } } | null | undefined)?.error?.code // Every error has this form.

/** LoopBack's memory alone takes the data for a record of its own: it has to be valid as one, and is answered without defaults. */
function patchesMatch(expected: RecordedAnswer, seen: SeenAnswer): boolean {
  if (expected.status === 422) return seen.status === 200 || seen.status === 400
  const recorded = Object.entries(expected.json ?? {})
  return seen.status === 200 && recorded.every(([name, value]) => matches(value, Object(seen.json)[name]))
}

/** Observers wrote down what they heard: an upsert of its own in memory, otherwise that of a record, stored or new. */
function hearsOfMatch({ json: recorded }: RecordedAnswer, { json: heard }: SeenAnswer): boolean {
  if (!Array.isArray(recorded) || !Array.isArray(heard)) return false
  const ofRecord = /^before save \| (?:currentInstance,data,where|instance,isNewInstance) /
  return String(recorded[1]).startsWith('before save | data,where ') && ofRecord.test(String(heard[1]))
}

const areLists = (expected: RecordedAnswer, seen: SeenAnswer): boolean =>
  expected.status === seen.status && Array.isArray(expected.json) && Array.isArray(seen.json)

/** The same records, in whatever order. */
function areSameRecords(expected: RecordedAnswer, seen: SeenAnswer): boolean {
  const { json: list } = expected
  const recorded: unknown = (list as { $unordered?: unknown } | null | undefined)?.$unordered ?? list // where any order is right
  const { json: found } = seen
  if (!Array.isArray(recorded) || !Array.isArray(found) || recorded.length !== found.length) return false
  const left: unknown[] = [...recorded]
  return found.every((record: unknown) => {
    const at = left.findIndex((item) => matches(item, withoutNulls(item, record)))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** A record of a database has every declared property: a name that none has is undeclared. */
function asksUndeclared(expected: RecordedAnswer, seen: SeenAnswer, path: string): boolean {
  const filter = new URL(path, 'http://localhost').searchParams.get('filter')
  if (filter === null || !filter.includes('"where"') || filter.includes('"fields"')) return false
  const { where } = JSON.parse(filter) as { where?: object } // The recorded filters are JSON.
  const records = [expected.json, seen.json].flat() as readonly object[] // Both are lists of records.
  return Object.keys(where ?? {}).some(
    (name) => !/^(?:and|or|nor)$/.test(name) && records.every((one) => !(name in one))
  )
}

const parts = (text: string): readonly string[] => text.split(/\s*(?=<)/).toSorted()
const sameParts = (one: string, other: string): boolean => parts(one).join('') === parts(other).join('')

/** The name of the cause of one difference; undefined where no rule applies. */
export function explainDifference({ request, accepted, seen }: Exchange): string | undefined {
  return Object.entries(rules).find(([, applies]) => accepted.some((answer) => applies(answer, seen, request)))?.[0]
}

/** The causes of a scenario's differences, in their order. */
export function explainFailures(failures: readonly Failure[]): readonly (string | undefined)[] {
  let differs = false
  return failures.map(({ exchange }) => {
    const cause = exchange && explainDifference(exchange)
    if (otherWrites.includes(cause)) differs = true
    return (
      cause ??
      (differs && exchange !== undefined && exchange.accepted.some(({ status }) => status < 300)
        ? followsWrite
        : undefined)
    )
  })
}
