import { type Static, type TInteger, type TObject, type TOptional, type TUnsafe, Type } from '@sinclair/typebox'
import { refuseMalformed } from './check-options.ts'
import type { HasDefault } from './definition/default-keyword.ts'
import { InvalidOption } from './definition/errors.ts'
import { fillDefaults, type WithDefaults } from './definition/fill-defaults.ts'

/** The setting that says how long answers of a server such as Redis are waited for. @param server its name, for the description */
export const answerTimeSetting = (server: string): TOptional<TInteger & HasDefault> =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 1000,
      unit: 'ms',
      description: `milliseconds that ${server} has for an answer`
    })
  )

/** The setting with whatever else the client of a server understands. */
export const clientSetting = <Options>(description: string): TOptional<TUnsafe<Options>> =>
  Type.Optional(Type.Unsafe<Options>(Type.Object({}, { additionalProperties: true, description })))

/** Whose settings are read. */
export interface SettingsOwner {
  /** For errors. */
  readonly name: string
  /** Where they stand in the configuration. */
  readonly place?: string
  /** What URLs may begin with, such as `redis:`. */
  readonly schemes: readonly string[]
}

/**
 * The settings of a server such as Redis, with their defaults.
 * @param urlsOf those in `url`, of which there may be several
 * @throws {InvalidOption} one is unknown or malformed; it does not show the URL, which may hold a password
 */
export function readServerSettings<Schema extends TObject>(
  schema: Schema,
  settings: object,
  { name, place, schemes }: SettingsOwner,
  urlsOf: (filled: WithDefaults<Schema>) => readonly string[]
): WithDefaults<Schema> {
  refuseMalformed(schema, settings, { name, ...(place !== undefined && { place }) })
  // They have just been checked.
  const filled = fillDefaults(schema, settings as Static<Schema>)
  const isUsable = (url: string): boolean => URL.canParse(url) && schemes.includes(new URL(url).protocol)
  if (urlsOf(filled).every(isUsable)) return filled
  const key = place === undefined ? 'url' : `${place}.url`
  throw new InvalidOption(`the option "url" of ${name} is invalid: it must be a URL with ${schemes.join(' or ')}`, {
    key
  })
}
