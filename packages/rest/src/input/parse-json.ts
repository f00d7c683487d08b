import { checkStructure } from '@modelwire/core/plugin'
import { InvalidBody } from '../errors.ts'
import type { BodySettings } from './body-options.ts'
import { mayBeRefused } from './may-be-refused.ts'

const byteOrderMark = 0xfeff

/**
 * The value of a JSON body; undefined for the empty text. A byte order mark at the start is dropped.
 * @throws {InvalidBody} `text` is not JSON, or a scalar though `strict`
 * @throws {MalformedText} a key or text is not well-formed Unicode
 * @throws {NameRefused} a key belongs to JavaScript's object model
 * @throws {LimitExceeded} nested deeper than `depth`
 */
export function parseJson(text: string, { strict, depth }: Omit<BodySettings['json'], 'limit'>): unknown {
  const json = text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
  if (json === '') return undefined
  const value = parse(json)
  if (strict && (typeof value !== 'object' || value === null)) {
    throw new InvalidBody('The body must be a JSON object or array', { body: text })
  }
  if (mayBeDeeper(json, depth) || mayBeRefused(json)) checkStructure(value, { depth })
  return value
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new InvalidBody('The body is not valid JSON', { body: json, cause })
  }
}

/** False when `json` opens no more than `depth` objects and lists, so that nothing has to be measured. */
function mayBeDeeper(json: string, depth: number): boolean {
  return countUpTo(json, '{', depth + 1) + countUpTo(json, '[', depth + 1) > depth
}

function countUpTo(text: string, character: string, most: number): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1 && count < most; at = text.indexOf(character, at + 1)) count++
  return count
}
