import { isPlainObject } from '@modelwire/core/plugin'
import type { NoteDetails } from '../boot-report.ts'

/** The value of a variable; undefined when there is none. */
export type FindVariable = (name: string) => unknown

const whole = /^\$\{(\w+)\}$/
const inside = /\$\{(\w+)\}/g

/**
 * Replaces `${name}` in every text of `value`: a text that is nothing else becomes the variable's value, whatever its
 * type; within longer texts known variables are filled in and others stay.
 *
 * A text that is one unknown variable becomes undefined, and `onUnknown` is called.
 * @see LoopBack 3: loopback-boot, lib/executor.js, getUpdatedConfigObject
 */
export function expandVariables(value: unknown, find: FindVariable, onUnknown: (name: string) => void): unknown {
  if (typeof value === 'string') return expandText(value, find, onUnknown)
  if (Array.isArray(value))
    return value.map((item) => expandVariables(item, find, onUnknown)).filter((item) => item !== undefined)
  if (!isPlainObject(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, expandVariables(member, find, onUnknown)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined))
}

function expandText(text: string, find: FindVariable, onUnknown: (name: string) => void): unknown {
  const name = whole.exec(text)?.[1]
  // LB3: only a text that ends in a variable is looked at there, and is replaced as a whole: `p${a}` becomes the value of a.
  if (name === undefined) return text.replace(inside, (variable, inner: string) => String(find(inner) ?? variable))
  const found = find(name)
  if (found === undefined) onUnknown(name)
  return found
}

/** The details of a variable without a value in an examination: it may well have one where the application runs. */
export const unsetVariable: NoteDetails = {
  effect: 'info',
  advice: 'set it in the environment of the server, or in config.json'
}
