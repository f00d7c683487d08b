import { isObject } from '../is-object.ts'
import type { IdTranslation } from '../replay.ts'

/** Where an application has ids that the database makes, as LoopBack says when it runs on MongoDB. */
export interface IdPlaces {
  /** Properties that hold them: ids, and keys of relations. */
  readonly names: readonly string[]
  /** Properties that are texts, whatever they hold. */
  readonly texts: readonly string[]
  /** Parts of paths that stand before them: models and relations, in lower case. */
  readonly before: readonly string[]
  /** Models whose own ids are something else, in lower case. */
  readonly others: readonly string[]
}

/** The ObjectId that stands for the number that memory would give. */
export const objectIdOf = (number: number): string => number.toString(16).padStart(24, '0')

/** The number that an ObjectId stands for; undefined where it stands for none. */
export const numberOf = (text: string): number | undefined =>
  /^0{16}[0-9a-f]{8}$/.test(text) ? Number.parseInt(text, 16) : undefined

const numeral = /^\d{1,9}$/

/** The same value with ObjectIds in place of the numbers below the names of ids. */
function withObjectIds(value: unknown, names: ReadonlySet<string>, isId = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withObjectIds(item, names, isId))
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        withObjectIds(part, names, names.has(name) || isOperator(name, isId))
      ])
    )
  const isNumber = typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : numeral.test(String(value))
  return isId && isNumber && value !== null ? objectIdOf(Number(value)) : value
}

const operators: ReadonlySet<string> = new Set(['inq', 'nin', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'eq'])
const isOperator = (name: string, isId: boolean): boolean => isId && operators.has(name)

function withNumbers(value: unknown, texts: ReadonlySet<string>, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withNumbers(item, texts, name))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withNumbers(part, texts, key)]))
  if (typeof value !== 'string') return value
  const number = numberOf(value)
  if (number !== undefined) return texts.has(name) ? String(number) : number
  return withinText(value)
}

/** JSON within a text has them in quotes. */
const withinText = (text: string): string =>
  text.replaceAll(/(?:"0{16}[0-9a-f]{8}")|(?<![0-9a-f])0{16}[0-9a-f]{8}(?![0-9a-f])/g, (id) =>
    String(Number.parseInt(id.replaceAll('"', ''), 16))
  )

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function translateJson(text: string, names: ReadonlySet<string>): string {
  const json = parsed(text)
  return json === undefined || !(isObject(json.value) || Array.isArray(json.value))
    ? text
    : JSON.stringify(withObjectIds(json.value, names))
}

/** Undefined where it is malformed, as some are that are sent. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** `where[id]=1` and `where={"id":1}`, and arguments that are named as ids are. */
function translateQuery(query: string, names: ReadonlySet<string>): string {
  const parts = query.split('&').map((part) => {
    const [name = '', value] = part.split('=', 2)
    if (value === undefined) return part
    const [plain, key] = [decoded(value), decoded(name)]
    if (plain === undefined || key === undefined) return part
    const isId = key.split(/[[\]]+/).some((step) => names.has(step))
    if (isId && numeral.test(plain)) return `${name}=${objectIdOf(Number(plain))}`
    const translated = translateJson(plain, names)
    return translated === plain ? part : `${name}=${encodeURIComponent(translated)}`
  })
  return parts.join('&')
}

/** LB3: the argument of `confirm` of accounts that is an id. */
const argument = 'uid'

/** Translates the numbers of a recording to ObjectIds and back, at the places where an application has them. */
export function translateIds({ names, texts, before, others }: IdPlaces): IdTranslation {
  const [texted, places, different] = [new Set(texts), new Set(before), new Set(others)]
  const named = new Set([...names, argument])
  const withoutOwn = new Set(names.filter((name) => name !== 'id'))
  const ofPath = (path: string): ReadonlySet<string> =>
    different.has((path.split(/[/?]/)[2] ?? '').toLowerCase()) ? withoutOwn : named
  return {
    path: (path) => {
      const [way = '', query] = path.split(/\?(.*)/s, 2)
      const steps = way.split('/')
      const made = steps.map((step, at) =>
        numeral.test(step) && places.has((steps[at - 1] ?? '').toLowerCase()) ? objectIdOf(Number(step)) : step
      )
      return made.join('/') + (query === undefined ? '' : `?${translateQuery(query, ofPath(path))}`)
    },
    body: (body, path) => translateJson(body, ofPath(path)),
    answer: (text) => {
      const json = /^\s*["[{]/.test(text) ? parsed(text) : undefined
      return json === undefined ? withinText(text) : JSON.stringify(withNumbers(json.value, texted))
    }
  }
}
