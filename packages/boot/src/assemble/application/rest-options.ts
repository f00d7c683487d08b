import type { RestOptions } from '@modelwire/rest'
import { checkConfig, RemotingSchema, type Settings } from '../../read/config/settings-schema.ts'
import type { Application } from '../../read/read-application.ts'

type Remoting = NonNullable<Settings['remoting']>

/** The options of `rest` from `remoting` of `config.json`. */
export function restOptions(remoting: Remoting = {}): RestOptions {
  const { rest = {}, sharedMethods, answer = {}, streams = {} } = remoting
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
    answer: { ...generousAnswer, ...withoutAbsent(answer) },
    streams: { ...generousStreams, ...withoutAbsent(streams) }
  })
}

/** LoopBack has no bounds at all: clients may count on lists that are longer than a new application would answer. */
const generousAnswer = { records: 100_000, bytes: 128 * 1024 * 1024 }

/** LoopBack has no limit, and asks nobody to trust the proxy in front: without that all clients who have no token are one caller. */
const generousStreams = { perCaller: 1000 }

/** LoopBack takes whatever a text can be split at. */
const isDelimiter = (item: unknown): item is string | RegExp => typeof item === 'string' || item instanceof RegExp

function bodyOptions({ json = {}, urlencoded = {} }: Remoting): Pick<RestOptions, 'json' | 'urlencoded'> {
  return {
    json: withoutAbsent({ strict: json.strict, limit: json.limit }),
    urlencoded: withoutAbsent({ limit: urlencoded.limit, parameters: urlencoded.parameterLimit })
  }
}

type Present<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> }

/** Returns the members that are not undefined. */
export function withoutAbsent<Value extends object>(value: Value): Present<Value> {
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null)
  return Object.fromEntries(members) as Present<Value> // entries of the same value, some left out
}

/**
 * The setting `remoting` of the REST API: that of `config.json`, or what a script set before the first model was shared.
 * @throws {ConfigValueInvalid} a key has the wrong type
 */
export function remotingSetting({ settings, config }: Pick<Application, 'settings' | 'config'>): Remoting {
  return checkConfig(RemotingSchema, settings.fix('remoting') ?? {}, config, ['remoting'])
}
