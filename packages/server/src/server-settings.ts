import { type Static, type TInteger, type TObject, type TOptional, type TUnsafe, Type } from '@sinclair/typebox'
import { refuseMalformed, type HasDefault, fillDefaults, type WithDefaults } from './options.ts'
import { InvalidOption } from './errors.ts'

/**
 * The settings of every server such as Redis: how long its answers are waited for, and whatever else its client understands.
 * @param server its name, for the description
 * @param others the description of the latter
 */
export const clientSettings = <Options>(
  server: string,
  others: string
): { timeout: TOptional<TInteger & HasDefault>; client: TOptional<TUnsafe<Options>> } => ({
  timeout: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 1000,
      unit: 'ms',
      description: `milliseconds that ${server} may take to answer`
    })
  ),
  client: Type.Optional(Type.Unsafe<Options>(Type.Object({}, { additionalProperties: true, description: others })))
})

/** The owner of the settings. */
export interface SettingsOwner {
  /** For errors. */
  readonly name: string
  /** Their location in the configuration. */
  readonly place?: string
  /** Allowed URL schemes, such as `redis:`. */
  readonly schemes: readonly string[]
}

/**
 * Validates the settings of a server such as Redis, and adds their defaults.
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
