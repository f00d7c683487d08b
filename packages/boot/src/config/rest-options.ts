import type { RestOptions } from '@modelwire/rest'
import type { Settings } from './settings-schema.ts'

type Remoting = NonNullable<Settings['remoting']>

/** The options of `rest` from `remoting` of `config.json`. */
export function restOptions(remoting: Remoting = {}): RestOptions {
  const { rest = {}, sharedMethods, answer = {} } = remoting
  return withoutAbsent({
    ...bodyOptions(remoting),
    sharedMethods,
    answersXml: rest.xml,
    // LB3: clients may count on scripts; pinned by formats/jsonp.
    answersJsonp: rest.jsonp ?? true,
    supportedTypes: rest.supportedTypes,
    arrayItemDelimiters: rest.arrayItemDelimiters?.filter(isDelimiter),
    normalizeHttpPath: rest.normalizeHttpPath,
    notFound: rest.handleUnknownPaths,
    createdStatus: rest.createdStatus,
    handling: rest.handling,
    idempotency: rest.idempotency,
    batch: rest.batch,
    listETags: rest.listETags,
    lists: rest.lists,
    answer: { ...generousAnswer, ...withoutAbsent(answer) }
  })
}

/** LoopBack has no bounds at all: clients may count on lists that are longer than a new application would answer. */
const generousAnswer = { records: 100_000, bytes: 128 * 1024 * 1024 }

/** LoopBack takes whatever a text can be split at. */
const isDelimiter = (item: unknown): item is string | RegExp => typeof item === 'string' || item instanceof RegExp

function bodyOptions({ json = {}, urlencoded = {} }: Remoting): Pick<RestOptions, 'json' | 'urlencoded'> {
  return {
    json: withoutAbsent({ strict: json.strict, limit: json.limit }),
    urlencoded: withoutAbsent({ limit: urlencoded.limit, parameters: urlencoded.parameterLimit })
  }
}

type Present<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> }

/** The members that are set. */
export function withoutAbsent<Value extends object>(value: Value): Present<Value> {
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null)
  return Object.fromEntries(members) as Present<Value> // entries of the same value, some left out
}
