import { isPlainObject } from '@modelwire/server'
import type { AddNote } from '../../boot-report.ts'
import { ConfigVariableUnset } from '../../errors.ts'

/** Returns the value of a variable; undefined if it has none. */
export interface FindVariable {
  (name: string): unknown
  /** A variable without a value makes startup fail (`strictVariables` of `config.json`). */
  readonly isStrict?: boolean
}

/** Called for a variable without a value; `isWhole` if the string contains nothing else. */
export type OnUnknown = (name: string, isWhole: boolean) => void

// LB3: a default, as shells write it, is our own: `${name:-default}` is a text like any other there.
const whole = /^\$\{(\w+)(?::-([^}]*))?\}$/
const inside = /\$\{(\w+)(?::-([^}]*))?\}/g

/**
 * Replaces `${name}` in every string of `value`: a string that contains nothing else becomes the variable's value, of
 * whatever type; within longer strings known variables are substituted and others stay. `${name:-default}` yields the
 * default if the variable has no value, or an empty one. A string that is just an unknown variable becomes undefined, and
 * `onUnknown` is called.
 * @see LoopBack 3: loopback-boot, lib/executor.js, getUpdatedConfigObject
 */
export function expandVariables(value: unknown, find: FindVariable, onUnknown: OnUnknown): unknown {
  if (typeof value === 'string') return expandText(value, find, onUnknown)
  if (Array.isArray(value))
    return value.map((item) => expandVariables(item, find, onUnknown)).filter((item) => item !== undefined)
  if (!isPlainObject(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, expandVariables(member, find, onUnknown)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

/** The value, else the default that stands behind the name. */
function valueOf(find: FindVariable, name: string, fallback: string | undefined): unknown {
  const found = find(name)
  return fallback !== undefined && (found === undefined || found === '') ? fallback : found
}

function expandText(text: string, find: FindVariable, onUnknown: OnUnknown): unknown {
  const [, name, fallback] = whole.exec(text) ?? []
  // LB3: only a text that ends in a variable is looked at there, and is replaced as a whole: `p${a}` becomes the value of a.
  if (name === undefined)
    return text.replace(inside, (variable, inner: string, innerFallback: string | undefined) => {
      const found = valueOf(find, inner, innerFallback)
      if (found === undefined) onUnknown(inner, false)
      return String(found ?? variable)
    })
  const found = valueOf(find, name, fallback)
  if (found === undefined) onUnknown(name, true)
  return found
}

/** The location of a part of the configuration. */
interface ConfigPlace {
  readonly file: string
  readonly key?: string
}

/** How a part of the configuration is expanded. */
export interface Expanding {
  readonly findVariable: FindVariable
  readonly add: AddNote
}

/**
 * Substitutes the variables in a part of a configuration file. Those without a value are reported.
 * @throws {ConfigVariableUnset} one has no value, and the configuration is strict
 */
export function expandConfig(value: unknown, { findVariable, add }: Expanding, place: ConfigPlace): unknown {
  return expandVariables(value, findVariable, (name, isWhole) => {
    if (findVariable.isStrict === true)
      throw new ConfigVariableUnset(`\${${name}} is neither a setting nor an environment variable`, place)
    if (!isWhole) return
    add('ignored', place, `\${${name}} is neither a setting nor an environment variable: the value is ignored`, {
      // It may well have a value where the application runs.
      effect: 'info',
      advice: "set it in the server's environment, or in config.json"
    })
  })
}
