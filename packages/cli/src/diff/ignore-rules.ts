import { CommandError } from '../errors.ts'

/** What to ignore in comparisons. */
export interface IgnoreRules {
  /** True for a place in a body that is not compared. */
  readonly skips: (path: readonly string[]) => boolean
  /** True for two values that differ only as ids or times do, if those are ignored. */
  readonly excuses: (old: unknown, now: unknown) => boolean
}

/** What to ignore, as given on the command line. */
export interface IgnoreOptions {
  /** Places such as `/0/id`; `*` is one step, `**` any number. */
  readonly paths?: readonly string[]
  readonly ids?: boolean
  readonly times?: boolean
}

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value))

/** ObjectIDs, UUIDs, access tokens. Numbers that count records are compared. */
const isRandomId = (value: unknown): boolean =>
  typeof value === 'string' &&
  (/^[0-9a-f]{24}$/i.test(value) ||
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ||
    /^[\w-]{32,}$/.test(value))

/** `*` is any one step, `**` any number of them. */
function matches(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern
  if (first === undefined) return path.length === 0
  if (first === '**') return matches(rest, path) || (path.length > 0 && matches(pattern, path.slice(1)))
  return path.length > 0 && (first === '*' || first === path[0]) && matches(rest, path.slice(1))
}

/** @throws {CommandError} USAGE: a place does not begin with a slash */
export function ignoreRules({ paths = [], ids = false, times = false }: IgnoreOptions): IgnoreRules {
  const wrong = paths.find((path) => !path.startsWith('/'))
  if (wrong !== undefined) throw new CommandError('USAGE', `--ignore requires places such as /*/created, not ${wrong}`)
  const patterns = paths.map((path) => path.split('/').slice(1))
  return {
    skips: (path) => patterns.some((pattern) => matches(pattern, path)),
    excuses: (old, now) => (times && isTime(old) && isTime(now)) || (ids && isRandomId(old) && isRandomId(now))
  }
}
