import type { FindVariable } from '../config/expand-variables.ts'
import { ConfigValueInvalid, type FilePlace } from '../errors.ts'

type Settings = Readonly<Record<string, unknown>>

const byUrl =
  (connector: string) =>
  (url: string): Settings => ({ connector, url })

/** What a URL means, by its scheme. */
const schemes: Readonly<Record<string, (url: string) => Settings>> = {
  postgres: byUrl('postgresql'),
  postgresql: byUrl('postgresql'),
  mysql: byUrl('mysql'),
  mariadb: (url) => ({ connector: 'mysql', url: url.replace(/^mariadb:/, 'mysql:') }),
  mongodb: byUrl('mongodb'),
  'mongodb+srv': byUrl('mongodb'),
  redis: byUrl('kv-redis'),
  rediss: byUrl('kv-redis'),
  sqlite: (url) => ({ connector: 'sqlite', file: url.replace(/^sqlite:(?:\/\/)?/, '') }),
  memory: () => ({ connector: 'memory' })
}

/** Settings that a URL says in their place. */
const replaced = new Set(['connector', 'url', 'host', 'port', 'database', 'user', 'username', 'password', 'file'])

/**
 * The settings of a data source with the URL of the variable that its `urlFrom` names: scheme and connector go together. Without a
 * value of the variable they stay as they are.
 * @throws {ConfigValueInvalid} the variable holds no URL of a database
 */
export function withUrlFrom({ urlFrom, ...settings }: Settings, find: FindVariable, place: FilePlace): Settings {
  if (urlFrom === undefined || urlFrom === null) return settings
  if (typeof urlFrom !== 'string')
    throw new ConfigValueInvalid('urlFrom is the name of a variable', { ...place, key: `${place.key}.urlFrom` })
  const url = find(urlFrom)
  if (url === undefined || url === '') return settings
  const scheme = /^([a-z+]+):/.exec(String(url))?.[1] ?? ''
  const read = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined
  if (read !== undefined) {
    const kept = Object.entries(settings).filter(([name]) => !replaced.has(name))
    return { ...Object.fromEntries(kept), ...read(String(url)) }
  }
  // Not the text itself: it may hold a password.
  const known = Object.keys(schemes).join(', ')
  throw new ConfigValueInvalid(`the variable ${urlFrom} must hold a URL that begins with one of ${known}`, {
    ...place,
    key: `${place.key}.urlFrom`
  })
}
