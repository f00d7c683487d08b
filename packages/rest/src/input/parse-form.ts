import { checkStructure, LimitExceeded } from '@modelwire/core/plugin'
import { PayloadTooLarge } from '../errors.ts'
import type { BodySettings } from './body-options.ts'
import { loadQs } from './parse-query-string.ts'
import { refusePrototypeKeys } from './refuse-prototype-keys.ts'

/**
 * The object that an urlencoded body describes, undefined for the empty text. All leaves are texts.
 * @param ignoresPrototypeKeys LB3: parameters named `__proto__` are left out silently, pinned by formats/urlencoded
 * @throws {PayloadTooLarge} too many parameters
 * @throws {NameRefused} a name belongs to JavaScript's object model
 * @throws {LimitExceeded} nested deeper than `depth`
 * @see LoopBack 3: body-parser, urlencoded with `extended: true`
 */
export function parseForm(
  text: string,
  { parameters, depth }: Pick<BodySettings['urlencoded'], 'parameters' | 'depth'>,
  ignoresPrototypeKeys: boolean
): unknown {
  if (text === '') return undefined
  if (!ignoresPrototypeKeys) refusePrototypeKeys(text)
  const count = text.split('&', parameters + 1).length
  if (count > parameters)
    throw new PayloadTooLarge(`A form may have at most ${parameters} parameters`, 'parameters.too.many')
  const form = parse(text, count, depth)
  checkStructure(form, { depth: depth + 1 })
  return form
}

function parse(text: string, count: number, depth: number): Record<string, unknown> {
  try {
    // Names of Object.prototype get through here and are refused afterwards: dropping them would lose data silently.
    const options = { allowPrototypes: true, parameterLimit: count, arrayLimit: Math.max(100, count) }
    return loadQs().parse(text, { ...options, depth, strictDepth: true })
  } catch (cause) {
    throw new LimitExceeded('The form is nested too deeply', { cause })
  }
}
