import type { ModelRegistry } from '@modelwire/core'
import type { Mount } from '@modelwire/core/plugin'
import { ApiNotMounted } from '../errors.ts'

/**
 * The API that a document describes: the one below `prefix`, or the first.
 * @throws {ApiNotMounted} `rest` is not registered, or not there
 */
export function findMount({ mounts }: ModelRegistry, prefix?: string): Mount {
  const wanted = prefix?.replace(/\/+$/, '')
  const found = mounts.find((mount) => wanted === undefined || mount.prefix === wanted)
  if (found !== undefined) return found
  if (mounts.length === 0) throw new ApiNotMounted('there is no API yet: register rest before explorer')
  const prefixes = mounts.map((mount) => `"${mount.prefix}"`).join(', ')
  throw new ApiNotMounted(`no API is registered below "${prefix}"; there is one below ${prefixes}`, { key: 'api' })
}
