import { isPlainObject } from '@modelwire/core/plugin'
import { type OAuth2Options, OAuth2OptionsSchema } from '@modelwire/oauth2'
import type { BootContext } from '../extension.ts'
import { ScriptArgumentInvalid } from '../errors.ts'
import { findByName } from '../scripts/app/model-list.ts'

/** Where options were written. */
export interface OptionsPlace {
  readonly file: string
  readonly key?: string
}

/** The name of a model that an option names in one of LoopBack's ways. */
function modelName({ registry }: BootContext, given: unknown): unknown {
  return typeof given === 'string' ? (findByName(registry, given)?.name ?? given) : given
}

/** A data source of a script, or its name. */
function dataSource(given: unknown): unknown {
  const name: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'name') : given
  return typeof name === 'string' ? name : given
}

/**
 * The options of the OAuth component as ours: what LoopBack's component answers is the default. The report tells of options
 * that there are not.
 * @throws {ScriptArgumentInvalid} they are no object
 */
export function readOAuth2Options(context: BootContext, given: unknown, { file, key }: OptionsPlace): OAuth2Options {
  if (given !== undefined && !isPlainObject(given))
    throw new ScriptArgumentInvalid('the options of oAuth2Provider are an object', { file })
  const all = Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const unknown = all.filter(([name]) => !(name in OAuth2OptionsSchema.properties))
  for (const [name] of unknown)
    context.add(
      'ignored',
      { file, key: key === undefined ? name : `${key}.${name}` },
      'there is no such option of OAuth'
    )
  const known = Object.fromEntries(all.filter((entry) => !unknown.includes(entry)))
  const named = Object.entries({
    dataSource: dataSource(known['dataSource']),
    userModel: modelName(context, known['userModel']),
    applicationModel: modelName(context, known['applicationModel'])
  }).filter(([, value]) => value !== undefined)
  const options = { compat: 'loopback', ...known, ...Object.fromEntries(named) }
  return options as OAuth2Options // the plugin checks them
}
