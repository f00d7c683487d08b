import { isObject } from './is-object.ts'

/** Messages by the names of fields. A dot in a name leads into an object or a list, as in the `source` of an input. */
export type FieldErrors = Readonly<Record<string, string>>

/** How the server says where inside of a value something is wrong: by a JSON pointer, or by names. */
const pointerIn = /^has a wrong value at ((?:\/[^/\s:]+)+): (.+)$/s
const nameIn = /^has "([^"]+)" that (.+)$/s

const unescape = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

/** One message of a field, with the name of the innermost field that it is about. */
function locate(field: string, message: string): readonly [field: string, message: string] {
  const [, pointer, text] = pointerIn.exec(message) ?? []
  if (pointer !== undefined && text !== undefined)
    return [[field, ...pointer.slice(1).split('/').map(unescape)].join('.'), text]
  const [, name, rest] = nameIn.exec(message) ?? []
  return name === undefined || rest === undefined ? [field, message] : locate(`${field}.${name}`, rest)
}

function add(errors: Map<string, string>, [field, message]: readonly [string, string]): void {
  const present = errors.get(field)
  errors.set(field, present === undefined ? message : `${present}; ${message}`)
}

/** LoopBack lists the messages of a property; hooks of an application may give one text. */
const textsOf = (messages: unknown): string[] =>
  (Array.isArray(messages) ? messages : [messages]).filter((message) => typeof message === 'string')

/**
 * What is wrong with which field, read from the `details` of a 422; undefined for other errors.
 * @see LoopBack 3: loopback-datasource-juggler, lib/validations.js, ValidationError
 */
export function fieldErrors(status: number, details: unknown): FieldErrors | undefined {
  if (status !== 422 || !isObject(details) || !isObject(details['messages'])) return undefined
  const errors = new Map<string, string>()
  for (const [property, messages] of Object.entries(details['messages']))
    for (const message of textsOf(messages)) add(errors, locate(property, message))
  return errors.size === 0 ? undefined : Object.fromEntries(errors)
}
