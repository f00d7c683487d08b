import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import { isPlainObject } from '@modelwire/core/plugin'
import type { OAuth2Options } from '@modelwire/oauth2'
import { OAuth2OptionsSchema } from '@modelwire/oauth2/models'
import type { BootContext } from '../extension.ts'
import { findByName } from '../scripts/app/model-list.ts'

/** Where options were written. */
export interface OptionsPlace {
  readonly file: string
  readonly key?: string
}

/** The name of a model that an option names in one of LoopBack's ways. */
function modelName({ registry }: BootContext, value: unknown): unknown {
  return typeof value === 'string' ? (findByName(registry, value)?.name ?? value) : value
}

/** A data source of a script, or its name. */
function dataSource(value: unknown): unknown {
  const name: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'name') : value
  return typeof name === 'string' ? name : value
}

/**
 * The options of the OAuth component as those of Modelwire, with defaults that answer like LoopBack's component.
 * Unknown options are reported.
 * @throws {ScriptArgumentInvalid} they are not an object
 */
export function readOAuth2Options(
  context: BootContext,
  rawOptions: unknown,
  { file, key }: OptionsPlace
): OAuth2Options {
  if (rawOptions !== undefined && !isPlainObject(rawOptions))
    throw new ScriptArgumentInvalid('the options of oAuth2Provider are an object', { file })
  const all = Object.entries(rawOptions ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const unknown = all.filter(([name]) => !(name in OAuth2OptionsSchema.properties))
  for (const [name] of unknown)
    context.add(
      'ignored',
      { file, key: key === undefined ? name : `${key}.${name}` },
      'there is no such option of OAuth'
    )
  const accepted = Object.fromEntries(all.filter((entry) => !unknown.includes(entry)))
  const named = Object.entries({
    dataSource: dataSource(accepted['dataSource']),
    userModel: modelName(context, accepted['userModel']),
    applicationModel: modelName(context, accepted['applicationModel'])
  }).filter(([, value]) => value !== undefined)
  const options = { compat: 'loopback', ...accepted, ...Object.fromEntries(named) }
  return options as OAuth2Options // the plugin checks them
}
